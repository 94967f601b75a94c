import { invalidInput } from '../../../../schema/errors/invalid-input.ts';
import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { limitedProvider, readExhausted } from '../../kernel/limits/active-policies.ts';
import { changedLimits, type OwnLimitsBody, shownLimits } from '../../kernel/limits/own-limits.ts';
import { isExpired } from '../../kernel/records/is-expired.ts';
import type { Reading } from '../../kernel/records/records.ts';
import { showRows } from '../../kernel/records/show-rows.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import { refuse, refuseUses } from '../../kernel/requests/refusals.ts';
import type { RequestScope } from '../../kernel/requests/request-scope.ts';
import type { Prepared, ResourceParts, Writes } from '../../kernel/resource/define-resource.ts';
import { findRecord } from '../../kernel/resource/resource-queries.ts';
import type { StoredSecret } from '../../kernel/secrets/compare-secrets.ts';
import type { Writing } from '../../kernel/store/store.ts';
import type { IntegrationRow, ProviderRow } from '../../kernel/store/tables.ts';
import type { CredentialOwner } from '../destinations/destination.ts';
import type { DestinationBody } from '../destinations/destination-body.ts';
import { destinationWarnings } from '../destinations/destination-warnings.ts';
import { destinationSecrets, sealDestination, shownDestination } from '../destinations/stored-credential.ts';
import { integrations } from '../integrations/integrations.ts';
import { promptsSentTo } from '../prompts/included-partials.ts';

/** A saved provider or virtual key, as configs name it. */
type Named = Pick<ProviderRow, 'kind' | 'slug' | 'id'>;

/**
 * Whether a value names the record anywhere: as `@slug`, `@slug/model`, or `virtual_key`. The id may be used instead of the slug.
 */
const namesIt = (value: Json | undefined, named: Named): boolean => {
  const names = [named.slug, named.id];
  if (typeof value === 'string')
    return named.kind === 'provider' && names.some((name) => value === `@${name}` || value.startsWith(`@${name}/`));
  if (Array.isArray(value)) return value.some((item: Json) => namesIt(item, named));
  if (!isJsonObject(value)) return false;
  if (named.kind === 'virtual-key' && names.some((name) => value.virtual_key === name)) return true;
  return Object.values(value).some((member) => namesIt(member, named));
};

/** Lists the prefixes of the texts that name it. In configs, a model can follow. */
const toNames = ({ kind, slug, id }: Named): readonly string[] =>
  [slug, id].map((name) => (kind === 'provider' ? `@${name}` : name));

/** Returns the virtual models that stand for a model of a saved provider. */
const virtualModelsAt = async (db: Reading, tenant: TenantId, named: Named): Promise<readonly string[]> => {
  const rows = await db
    .selectFrom('virtual_models')
    .select(['name', 'target'])
    .where('workspace_id', '=', tenant)
    // A first selection of rows, because `_` in a slug matches any character here.
    .where((where) => where.or(toNames(named).map((name) => where('target', 'like', `${name}/%`))))
    .orderBy('id')
    .execute();
  return rows.filter(({ target }) => namesIt(target, named)).map(({ name }) => `the virtual model "${name}"`);
};

/**
 * Lists, in words, what names a saved provider or virtual key of a workspace: the newest versions of its configs, its settings,
 * the versions of prompts that are in use, and virtual models.
 */
const readUses = async (db: Reading, tenant: TenantId, named: Named): Promise<readonly string[]> => {
  const configs = await db
    .selectFrom('configs')
    .innerJoin('config_versions', 'config_versions.id', 'configs.version_id')
    .select(['configs.slug', 'config_versions.text'])
    .where('configs.workspace_id', '=', tenant)
    // A first selection of rows, because `_` in a slug matches any character here.
    .where((where) => where.or(toNames(named).map((name) => where('config_versions.text', 'like', `%"${name}%`))))
    .orderBy('configs.slug')
    .execute();
  const workspace = await db.selectFrom('workspaces').select('settings').where('id', '=', tenant).executeTakeFirst();
  const isOfWorkspace = workspace !== undefined && namesIt(parseJson(workspace.settings), named);
  return [
    ...configs.filter(({ text }) => namesIt(parseJson(text), named)).map(({ slug }) => `the config "${slug}"`),
    ...(isOfWorkspace ? ['the defaults of the workspace'] : []),
    ...(await promptsSentTo(db, tenant, toNames(named))).map((slug) => `the prompt "${slug}"`),
    ...(await virtualModelsAt(db, tenant, named)),
  ];
};

/** The members of the body of a provider or virtual key that are not columns. */
export interface ProviderBody extends DestinationBody, OwnLimitsBody {
  /** The id or slug of the integration whose credential a new record uses. */
  readonly integration_id?: string;
}

type ProviderWrites = Writes<ProviderRow, ProviderBody>;

/** Returns the integration with an id or slug, if the workspace may use it. */
const usableIntegration = async (
  db: Reading,
  { organisation, tenant }: RequestScope,
  name: string,
): Promise<IntegrationRow | undefined> =>
  // Without a `reach`, only integrations that the workspace may use are found.
  (await findRecord(db, integrations, { caller: { organisation, tenant }, name })) as IntegrationRow | undefined;

const noIntegration = (name: string): Problem =>
  problem(
    ['integration_id'],
    `There is no integration ${JSON.stringify(name.slice(0, 100))} that this workspace may use.`,
    'Write the id or the slug of one: GET /v1/integrations lists them.',
  );

/** Lists the problems of members that the integration sets instead. */
const integrationProblems = (body: DestinationBody): readonly Problem[] =>
  (['provider', 'settings', 'credential', 'key', 'keys', 'accounts', 'tls'] as const)
    .filter((member) => body[member] !== undefined)
    .map((member) =>
      problem([member], 'A provider of an integration takes this from the integration.', 'Leave it out.'),
    );

/**
 * Returns the columns of the destination that a record calls: its integration, or its own provider. Throws the `GatewayError`
 * `invalid-input`.
 */
const calledColumns = async (
  parts: ResourceParts,
  { caller, body, row, before, problems }: ProviderWrites,
): Promise<Partial<ProviderRow>> => {
  const name = before === undefined ? (body.integration_id ?? null) : before.integration_id;
  const owner = toCredentialOwner(row);
  if (name === null)
    return { integration_id: null, ...(await sealDestination(parts, { body, owner, before, problems })) };
  const found = [...problems, ...integrationProblems(body)];
  const integration = before ?? (await usableIntegration(parts.store.db, caller, name));
  if (integration === undefined) throw invalidInput([noIntegration(name), ...found]);
  refuse(found);
  if (before !== undefined) return {};
  return {
    ...{ integration_id: integration.id, provider: integration.provider },
    ...{ settings: '{}', credential: null, origins: '[]', tls: null },
  };
};

const toCredentialOwner = ({ workspace_id, id }: ProviderRow): CredentialOwner => ({
  tenant: workspace_id,
  table: 'providers',
  id,
});

/** Lists the secrets of a provider or virtual key. One that uses an integration has no secrets of its own. */
export const providerSecrets = (row: ProviderRow): readonly StoredSecret[] =>
  destinationSecrets(row, toCredentialOwner(row));

/** Seals the destination of a record, and converts its limits to a column. */
export const prepareProvider = async (parts: ResourceParts, writes: ProviderWrites): Promise<Prepared<ProviderRow>> => {
  const { caller, body, before, row } = writes;
  const called = await calledColumns(parts, writes);
  return {
    warnings: await destinationWarnings(parts, { tenant: caller.tenant, body, called: { ...row, ...called } }),
    columns: {
      ...(before === undefined && { status: 'active' }),
      ...called,
      limits: changedLimits(body, { before: before?.limits ?? null, now: parts.now() }),
    },
    async check(db, { integration_id: id }) {
      // The integration may have been deleted, or withdrawn from the workspace, in the meantime.
      if (before === undefined && id !== null && (await usableIntegration(db, caller, id)) === undefined)
        throw invalidInput([noIntegration(id)]);
    },
  };
};

/** Throws the `GatewayError` `conflict` if anything names a provider or virtual key. */
export const refuseUsedProvider = async (row: ProviderRow, db: Writing): Promise<void> => {
  refuseUses(
    await readUses(db, row.workspace_id as TenantId, row),
    `The ${row.kind === 'provider' ? 'provider' : 'virtual key'} "${row.slug}" is named by`,
    'Change or delete what names it first.',
  );
};

/** Returns the members of providers or virtual keys that are not columns. */
export const showProviders = async (
  rows: readonly ProviderRow[],
  { counters, now }: ResourceParts,
): Promise<readonly object[]> => {
  const exhausted = await readExhausted(rows.map(limitedProvider), counters);
  const toStatus = (row: ProviderRow): string => {
    if (isExpired(row, now())) return 'expired';
    return exhausted.has(row.id) ? 'exhausted' : row.status;
  };
  return showRows(rows[0]?.kind === 'provider' ? 'provider' : 'virtual key', rows, (row) => ({
    object: row.kind,
    integration_id: row.integration_id,
    ...shownDestination(row),
    status: toStatus(row),
    ...shownLimits(row.limits, now()),
  }));
};
