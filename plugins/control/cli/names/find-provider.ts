import type { FoundName } from '../../../../schema/config/saved-names.ts';
import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import type { IntegrationModel, IntegrationModels } from '../../catalog/integrations/integration-models.ts';
import { type ReadProvider, toSavedProvider } from '../../catalog/providers/to-saved-providers.ts';
import { printable } from '../show/printable.ts';
import { type StoreReader, unknownName } from './store-reader.ts';

const paths = { providers: '/providers', virtualKeys: '/virtual-keys' } as const;

const toModel = (value: JsonObject): IntegrationModel => ({
  slug: findText(value.slug) ?? '',
  enabled: value.enabled === true,
  ...(isJsonObject(value.pricing_config) && { pricing_config: value.pricing_config }),
});

const toModels = ({ models, allow_all_models }: JsonObject): IntegrationModels => ({
  models: toObjects(models).map(toModel),
  allow_all_models: allow_all_models === true,
});

/** Reads what a record calls. `owner` is the member that says whose it is. */
const readRecord = (record: JsonObject, table: string, owner: string): ReadProvider => ({
  provider: findText(record.provider) ?? '',
  settings: findObject(record.settings) ?? {},
  owner: { tenant: findText(record[owner]) ?? '', table, id: findText(record.id) ?? '' },
  fields: Object.keys(findObject(record.credential) ?? {}),
});

interface Called {
  readonly read: ReadProvider;
  readonly unread?: string;
}

/** Reads what a provider of an integration calls, as far as the integration can be read. */
const readIntegration = async (reader: StoreReader, own: JsonObject, integrationId: string): Promise<Called> => {
  const { settings, ...rest } = readRecord(own, 'providers', 'workspace_id');
  const owner = { tenant: '', table: 'integrations', id: integrationId };
  // It has a credential, of which only the fields are not known.
  const unread = (why: string): Called => ({ read: { ...rest, settings, owner, fields: ['api_key'] }, unread: why });
  const listed = await reader.list('/integrations');
  if (listed.kind === 'unread') return unread(listed.why);
  const integration = listed.items.find(({ id }) => id === integrationId);
  if (integration === undefined) return unread('Its integration is not one that the key reaches.');
  const shared = readRecord(integration, 'integrations', 'organisation_id');
  const read: ReadProvider = { ...shared, settings: { ...shared.settings, ...settings } };
  const models = await reader.read(`/integrations/${encodeURIComponent(findText(integration.slug) ?? '')}/models`);
  if (models.kind === 'unread') return { read, unread: models.why };
  return { read: models.kind === 'none' ? read : { ...read, listed: toModels(models.value) } };
};

const findExpiry = ({ expires_at: at }: JsonObject): number | undefined =>
  typeof at === 'number' && at * 1000 <= Date.now() ? at : undefined;

/** Finds the saved provider or virtual key that a slug or an id names, and the models that it allows. */
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
  if (expiry !== undefined)
    return { ...unknownName([]), why: `It expired at ${new Date(expiry * 1000).toISOString()}: give it another time.` };
  const integrationId = findText(record.integration_id);
  const { read, unread }: Called =
    integrationId === undefined
      ? { read: readRecord(record, 'providers', 'workspace_id') }
      : await readIntegration(reader, record, integrationId);
  return {
    kind: 'found',
    saved: { [kind]: { [name]: toSavedProvider(read) } },
    ...(unread !== undefined && { unread: `The models that it allows were not checked. ${printable(unread)}` }),
  };
};
