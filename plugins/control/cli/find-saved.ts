import type { Saved } from '../../../schema/config/saved.ts';
import type { FoundName } from '../../../schema/config/saved-names.ts';
import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../schema/json/loose.ts';
import { withValues } from '../../../schema/json/with-values.ts';
import { guardrailValue, placeOfChecks, type ReferringCheck } from '../catalog/guardrails/saved-guardrails.ts';
import type { IntegrationModels } from '../catalog/integrations/integration-models.ts';
import { parsePrompt, promptKind } from '../catalog/prompts/parse-prompt.ts';
import { expiredFault, type ReadProvider, toSavedProvider } from '../catalog/providers/to-saved-providers.ts';
import { savedRef } from '../kernel/records/saved-parts.ts';
import { isPlaceholder, literalAt, readPlaces } from '../kernel/secrets/literals.ts';
import { printable } from './resources/texts.ts';
import { type StoreReader, unknownName } from './store-reader.ts';

/** Converts the version of a stored prompt to the form that configs need, under its reference. */
export const toSavedPrompt = (version: JsonObject, reference: string): Pick<Saved, 'prompts'> => {
  const virtualKey = findText(version.virtual_key) ?? '';
  const { prompt } = parsePrompt({
    string: findText(version.string) ?? '',
    ...(version.is_raw_template === 1 && { is_raw_template: 1 }),
    parameters: {},
    virtual_key: virtualKey,
  });
  const slug = findText(version.slug) ?? reference;
  const versionId = findText(version.version_id) ?? '';
  const kind = prompt === undefined ? 'text' : promptKind(prompt);
  return { prompts: { slugs: [slug], found: { [reference]: { slug, versionId, virtualKey, kind } } } };
};

/** Reads the checks, with references in place of the placeholders of their secrets. */
const readChecks = ({ checks = [], ...record }: JsonObject): readonly ReferringCheck[] => {
  const at = placeOfChecks({
    id: findText(record.id) ?? '',
    workspace_id: findText(record.workspace_id) ?? null,
    organisation_id: findText(record.organisation_id) ?? '',
  });
  const secrets = readPlaces(checks, (value) => isPlaceholder(value));
  const references = secrets.map(([pointer]) => [pointer, savedRef(literalAt(at, pointer))] as const);
  return toObjects(withValues(checks, new Map(references))).flatMap(({ id, parameters }) =>
    typeof id === 'string' ? [{ id, parameters: findObject(parameters) ?? {} }] : [],
  );
};

/** Converts a saved guardrail to the form that configs need. */
export const toSavedGuardrail = (record: JsonObject, name: string): Pick<Saved, 'guardrails'> => {
  const parts = { checks: readChecks(record), actions: findObject(record.actions) ?? {} };
  return { guardrails: { [name]: guardrailValue(findText(record.slug) ?? name, parts) } };
};

const paths = { providers: '/providers', virtualKeys: '/virtual-keys' } as const;

const toModels = ({ models, allow_all_models }: JsonObject): IntegrationModels => ({
  models: toObjects(models).map(({ slug, enabled, pricing_config }) => ({
    slug: findText(slug) ?? '',
    enabled: enabled === true,
    ...(isJsonObject(pricing_config) && { pricing_config }),
  })),
  allow_all_models: allow_all_models === true,
});

/** Reads how the keys of a record are drawn. It does not matter here which sealed secret each key is. */
const readPool = ({ keys, accounts }: JsonObject): ReadProvider['pool'] => {
  const shown = toObjects(keys);
  if (shown.length === 0) return undefined;
  return {
    keys: shown.map(({ weight }, index) => ({
      field: `keys/${index}`,
      weight: typeof weight === 'number' ? weight : 1,
    })),
    accounts: accounts === 'several' ? 'several' : 'one',
  };
};

/** Reads the provider of a record. `owner` is the member that names the record's owner. */
const readRecord = (record: JsonObject, table: string, owner: string): ReadProvider => ({
  provider: findText(record.provider) ?? '',
  settings: findObject(record.settings) ?? {},
  owner: { tenant: findText(record[owner]) ?? '', table, id: findText(record.id) ?? '' },
  fields: Object.keys(findObject(record.credential) ?? {}),
  pool: readPool(record),
});

interface Called {
  readonly read: ReadProvider;
  readonly unread?: string;
}

/** Reads the provider of a record with an integration, as far as the integration can be read. */
const readIntegration = async (reader: StoreReader, own: JsonObject, integrationId: string): Promise<Called> => {
  const { settings, ...rest } = readRecord(own, 'providers', 'workspace_id');
  const owner = { tenant: '', table: 'integrations', id: integrationId };
  // It has a credential, but its fields are unknown.
  const unread = (why: string): Called => ({ read: { ...rest, settings, owner, fields: ['api_key'] }, unread: why });
  const listed = await reader.list('/integrations');
  if (listed.kind === 'unread') return unread(listed.why);
  const integration = listed.items.find(({ id }) => id === integrationId);
  if (integration === undefined) return unread('The key cannot read its integration.');
  const shared = readRecord(integration, 'integrations', 'organisation_id');
  const read: ReadProvider = { ...shared, settings: { ...shared.settings, ...settings } };
  const models = await reader.read(`/integrations/${encodeURIComponent(findText(integration.slug) ?? '')}/models`);
  if (models.kind === 'unread') return { read, unread: models.why };
  return { read: models.kind === 'none' ? read : { ...read, listed: toModels(models.value) } };
};

const findExpiry = ({ expires_at: at }: JsonObject): number | undefined =>
  typeof at === 'number' && at * 1000 <= Date.now() ? at * 1000 : undefined;

/** Finds the saved provider or virtual key with a slug or id, and the models that it allows. */
export const findProvider = async (
  reader: StoreReader,
  kind: 'providers' | 'virtualKeys',
  name: string,
): Promise<FoundName> => {
  const bySlug = await reader.read(`${paths[kind]}/${encodeURIComponent(name)}`);
  if (bySlug.kind === 'unread') return bySlug;
  const listed = bySlug.kind === 'read' ? undefined : await reader.list(paths[kind]);
  const others = listed?.kind === 'read' ? listed.items : [];
  const record = bySlug.kind === 'read' ? bySlug.value : others.find(({ id }) => id === name);
  if (record === undefined) return unknownName(others);
  const expiry = findExpiry(record);
  if (expiry !== undefined) {
    const what = kind === 'providers' ? 'saved provider' : 'virtual key';
    return { kind: 'found', saved: { unusable: { [name]: { what, ...expiredFault(expiry) } } } };
  }
  const integrationId = findText(record.integration_id);
  const { read, unread }: Called =
    integrationId === undefined
      ? { read: readRecord(record, 'providers', 'workspace_id') }
      : await readIntegration(reader, record, integrationId);
  return {
    kind: 'found',
    saved: { [kind]: { [name]: toSavedProvider(read) } },
    ...(unread !== undefined && { unread: `Its allowed models were not checked. ${printable(unread)}` }),
  };
};
