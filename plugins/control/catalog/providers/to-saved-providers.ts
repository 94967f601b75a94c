import type { SavedProvider, UnusableProvider } from '../../../../schema/config/saved.ts';
import type { SavedTls } from '../../../../schema/config/saved-tls.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { SavedRef } from '../../../../schema/plan/plan.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { Catalogue } from '../../../sdk/plugin/catalogue.ts';
import { isExpired } from '../../kernel/records/is-expired.ts';
import { readEach } from '../../kernel/records/read-each.ts';
import { byReference, indexBySlugAndId, type SavedParts, savedRef } from '../../kernel/records/saved-parts.ts';
import type { SealedSecret } from '../../kernel/secrets/seal.ts';
import type { IntegrationRow, ProviderRow } from '../../kernel/store/tables.ts';
import { type CredentialOwner, readOrigins, type StoredPool } from '../destinations/destination.ts';
import { readCredential, readPool, sealedAt } from '../destinations/stored-credential.ts';
import { toSavedTls } from '../destinations/stored-tls.ts';
import {
  allowedModels,
  type IntegrationModels,
  mayUse,
  readModels,
  savedPrices,
} from '../integrations/integration-models.ts';

/** A provider as read, without its secrets. */
export interface ReadProvider {
  readonly provider: string;
  readonly settings: JsonObject;
  /** The record that its credential belongs to, and the fields of the credential. */
  readonly owner: CredentialOwner;
  readonly fields: readonly string[];
  /** How the keys are chosen if there are several; absent if there is one credential. */
  readonly pool?: StoredPool | undefined;
  /** The TLS settings of its host; if absent, the default ones. */
  readonly tls?: SavedTls | undefined;
  /** The models of its integration; absent without an integration. */
  readonly listed?: IntegrationModels | undefined;
}

/** Returns a saved provider in the form that configs are compiled with, with references in place of its secrets. */
export const toSavedProvider = ({
  provider,
  settings,
  owner,
  fields,
  pool,
  tls,
  listed,
}: ReadProvider): SavedProvider => {
  const toRef = (field: string): SavedRef => savedRef(sealedAt(owner, field));
  const models = listed === undefined ? undefined : allowedModels(listed);
  const prices = listed === undefined ? undefined : savedPrices(listed);
  return {
    provider,
    ...(pool === undefined
      ? { credential: Object.fromEntries(fields.map((field) => [field, toRef(field)])) }
      : {
          keys: pool.keys.map(({ field, weight }) => ({ api_key: toRef(field), weight })),
          accounts: pool.accounts,
        }),
    settings,
    ...(tls !== undefined && { tls }),
    ...(models !== undefined && { models }),
    ...(prices !== undefined && { prices }),
  };
};

/** The rows of one workspace, and the integrations of its organisation. */
export interface ProviderRows {
  readonly providers: readonly ProviderRow[];
  readonly integrations: readonly IntegrationRow[];
}

/** Returns what a provider calls, and the record that defines it. */
const calledBy = (row: ProviderRow, { integrations }: ProviderRows) => {
  if (row.integration_id === null)
    return { ...row, owner: { tenant: row.workspace_id, table: 'providers', id: row.id }, integration: undefined };
  const integration = integrations.find(({ id }) => id === row.integration_id);
  // Tenants are identified by the ids of workspaces.
  if (integration === undefined || !mayUse(integration, row.workspace_id as TenantId)) return undefined;
  const owner = { tenant: integration.organisation_id, table: 'integrations', id: integration.id };
  return { ...integration, owner, integration };
};

/**
 * Whether a record still calls the origins that its credential was saved for. A plugin may have changed its provider's address.
 */
const leadsHome = (
  { provider: name, origins }: Pick<IntegrationRow, 'provider' | 'origins'>,
  settings: JsonObject,
  { providers }: Pick<Catalogue, 'providers'>,
): boolean => {
  const provider = providers.get(name);
  const savedFor: readonly string[] = fromJson(origins);
  return provider === undefined || readOrigins(provider, settings).every((origin) => savedFor.includes(origin));
};

/** Why a record cannot be used, and what to do about it. */
type Fault = Pick<UnusableProvider, 'why' | 'remedy'>;

/** Returns the fault of a record that expired at a time in milliseconds since the epoch. */
export const expiredFault = (at: number): Fault => ({
  why: `expired at ${new Date(at).toISOString()}`,
  remedy: 'set a later "expires_at"',
});

const faults = {
  integration: {
    why: 'belongs to an integration that this workspace may not use',
    remedy: 'give the workspace access to the integration',
  },
  address: {
    why: 'was saved for another address than its provider has now',
    remedy: 'save its credential again',
  },
  unreadable: { why: 'cannot be read from the store', remedy: 'save it again' },
} as const satisfies { readonly [name: string]: Fault };

interface SavedProvidersOptions {
  readonly now: number;
  readonly catalogue: Catalogue;
  readonly reportUnreadable?: (row: ProviderRow) => void;
}

/** A record that can be used. */
interface Usable {
  readonly row: ProviderRow;
  readonly fault?: never;
  readonly value: SavedProvider;
  readonly secrets: readonly SealedSecret[];
}

/** A record that cannot be used. */
interface Faulty {
  readonly row: ProviderRow;
  readonly fault: Fault;
}

const toUnusable = ({ row: { kind }, fault }: Faulty): UnusableProvider => ({
  what: kind === 'provider' ? 'saved provider' : 'virtual key',
  ...fault,
});

/** Reads a record, and finds out whether it can be used. */
const readProvider = (
  row: ProviderRow,
  rows: ProviderRows,
  { now, catalogue }: SavedProvidersOptions,
): Usable | Faulty => {
  if (row.expires_at !== null && isExpired(row, now)) return { row, fault: expiredFault(row.expires_at) };
  const called = calledBy(row, rows);
  if (called === undefined) return { row, fault: faults.integration };
  const { provider, owner, integration } = called;
  const settings: JsonObject = { ...fromJson(called.settings), ...fromJson(row.settings) };
  if (!leadsHome(called, settings, catalogue)) return { row, fault: faults.address };
  const sealed = Object.entries(readCredential(called.credential));
  const secure = toSavedTls(called.tls, owner);
  return {
    row,
    value: toSavedProvider({
      provider,
      settings,
      owner,
      fields: sealed.map(([field]) => field),
      pool: readPool(called.credential),
      tls: secure?.tls,
      listed: integration && readModels(integration),
    }),
    secrets: [
      ...sealed.map(([field, secret]) => ({ sealed: secret, at: sealedAt(owner, field) })),
      ...(secure?.secrets ?? []),
    ],
  };
};

/**
 * Returns the providers and virtual keys that configs of a workspace can name at a time (milliseconds since the epoch): those
 * that have not expired, whose integration the workspace may use, and whose credential goes where it was saved for. The others
 * are unusable.
 */
export const toSavedProviders = (
  rows: ProviderRows,
  options: SavedProvidersOptions,
): SavedParts<'providers' | 'virtualKeys' | 'unusable'> => {
  const { reportUnreadable = () => {} } = options;
  const faulty: Faulty[] = [];
  const found = readEach(
    rows.providers,
    (row) => {
      const read = readProvider(row, rows, options);
      if (read.fault === undefined) return [read];
      faulty.push(read);
      return [];
    },
    (row) => {
      faulty.push({ row, fault: faults.unreadable });
      reportUnreadable(row);
    },
  );
  const ofKind = (kind: ProviderRow['kind']) =>
    indexBySlugAndId(
      found.flatMap(({ row: { id, slug, kind: own }, value }) => (own === kind ? [{ id, slug, value }] : [])),
    );
  return {
    providers: ofKind('provider'),
    virtualKeys: ofKind('virtual-key'),
    ...(faulty.length > 0 && {
      unusable: indexBySlugAndId(faulty.map((each) => ({ ...each.row, value: toUnusable(each) }))),
    }),
    secrets: byReference(found.flatMap(({ secrets }) => secrets)),
  };
};
