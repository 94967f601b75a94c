import { fromJson } from '../../../../schema/json/from-json.ts';
import { isJsonObject, isTexts } from '../../../../schema/json/json.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import type {
  KeyDefaults,
  OrganisationId,
  Principal,
  Priority,
  TenantId,
  WorkspaceId,
} from '../../../sdk/exchange/exchange.ts';
import { sharedLimits } from '../../kernel/limits/own-limits.ts';
import { type Scope, scopes, toScope } from '../../kernel/requests/scopes.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { KeyKind, KeyRow } from '../../kernel/store/tables.ts';

/** How far the changes of keys were read: the last record, and when it had changed. */
export interface KeyCursor {
  readonly at: number;
  readonly id: string;
}

/** Before the first change. */
export const beginning: KeyCursor = { at: -1, id: '' };

/**
 * Returns the cursor after these rows, which are in the order of their changes. A time that was damaged by hand sorts after all
 * others: such a row is read again each time, so that rows that change later are read too.
 */
export const cursorAfter = (
  rows: readonly { readonly updated_at: number; readonly id: string }[],
  before: KeyCursor,
): KeyCursor => {
  const last = rows.findLast((row) => Number.isSafeInteger(row.updated_at));
  return last === undefined ? before : { at: last.updated_at, id: last.id };
};

/** Reads the keys of a store. All methods reject while the store is unavailable. */
export interface KeyReader {
  /** Returns the records that changed after a cursor, the oldest change first, up to a limit; revoked keys too. */
  changes(after: KeyCursor, limit: number): Promise<readonly KeyRecord[]>;
  /** Returns the record whose current key, or previous key before its rotation, has this hash. */
  byHash(hash: string): Promise<KeyRecord | undefined>;
  byId(id: string): Promise<KeyRecord | undefined>;
}

/** Whether a record changed after a cursor. */
export const isAfter = ({ updated_at, id }: KeyRecord, cursor: KeyCursor): boolean =>
  updated_at > cursor.at || (updated_at === cursor.at && id > cursor.id);

export const keyReader = ({ db }: Pick<Store, 'db'>): KeyReader => {
  const records = () =>
    db
      .selectFrom('keys')
      .leftJoin('workspaces', (join) =>
        join.onRef('workspaces.organisation_id', '=', 'keys.organisation_id').on('workspaces.slug', '=', 'default'),
      )
      .selectAll('keys')
      .select('workspaces.id as default_workspace_id');
  return {
    changes: ({ at, id }, limit) =>
      records()
        .where('keys.updated_at', '>=', at)
        .where((where) => where.or([where('keys.updated_at', '>', at), where('keys.id', '>', id)]))
        .orderBy('keys.updated_at')
        .orderBy('keys.id')
        .limit(limit)
        .execute(),
    byHash: (hash) =>
      records()
        .where((where) => where.or([where('keys.hash', '=', hash), where('keys.previous_hash', '=', hash)]))
        .executeTakeFirst(),
    byId: (id) => records().where('keys.id', '=', id).executeTakeFirst(),
  };
};

/** The columns of a key that decide its scopes. */
export type ScopedKey = Pick<KeyRow, 'scopes' | 'kind' | 'created_by' | 'created_at' | 'updated_at'>;

/**
 * Stands for all scopes in the stored list of an admin key, including those of later versions. The API neither accepts nor shows
 * it.
 */
const every = '*';

/** The stored list of an admin key. Versions that do not know its first entry read the scopes after it. */
export const adminScopes: readonly string[] = [every, ...scopes];

/** Scopes that did not exist when the first admin keys were created. The lists of those keys do not begin with `*`. */
const later: ReadonlySet<Scope> = new Set<Scope>(['logs.view', 'metrics.read', 'audit_logs.list']);

/**
 * Whether the gateway created a key as an admin key, with all scopes that existed then, and nobody has changed it since. Scopes
 * that were removed from a key stay removed.
 */
const isOlderAdmin = (key: ScopedKey, stored: ReadonlySet<string>): boolean =>
  key.kind === 'organisation' &&
  key.created_by === null &&
  key.updated_at === key.created_at &&
  scopes.every((scope) => stored.has(scope) || later.has(scope));

/** Returns the scopes of a key, omitting those that this version does not know; undefined if they are not a list of names. */
export const readableScopes = (key: ScopedKey): readonly Scope[] | undefined => {
  const stored = parseJson(key.scopes);
  if (!isTexts(stored)) return undefined;
  return stored.includes(every) || isOlderAdmin(key, new Set(stored))
    ? scopes
    : stored.flatMap((scope) => toScope(scope) ?? []);
};

/** Returns the scopes of a key, for callers that cannot continue without them. */
export const heldScopes = (key: ScopedKey): readonly Scope[] => {
  const held = readableScopes(key);
  if (held !== undefined) return held;
  throw new TypeError('The scopes are not a list of names.');
};

/** The caller that a service key of the store identifies. */
export interface KeyPrincipal extends Principal {
  readonly keyId: string;
  readonly kind: KeyKind;
  readonly organisation: OrganisationId;
  readonly reach: 'workspace' | 'organisation';
  readonly scopes: ReadonlySet<Scope>;
  readonly defaults: KeyDefaults;
}

/** The record of a key with the id of the workspace `default` of its organisation. */
export interface KeyRecord extends KeyRow {
  readonly default_workspace_id: string | null;
}

/** The defaults as they are stored, and as they are in requests and responses. */
export interface StoredDefaults {
  readonly metadata?: Readonly<Record<string, string>>;
  readonly config_id?: string;
  readonly allow_config_override?: boolean;
  readonly priority?: Priority;
}

const toDefaults = (text: string): KeyDefaults => {
  const stored: unknown = fromJson(text);
  if (!isJsonObject(stored)) throw new TypeError('The defaults are not an object.');
  // The store contains only what the rules accepted.
  const { metadata, config_id, allow_config_override = true, priority }: StoredDefaults = stored;
  return {
    ...(metadata !== undefined && { metadata }),
    ...(config_id !== undefined && { config: config_id }),
    allowConfigOverride: allow_config_override,
    ...(priority !== undefined && { priority }),
  };
};

/** Creates a function that converts records to principals. Keys with the same scopes share one set. */
export const principalMaker = (): ((record: KeyRecord) => KeyPrincipal) => {
  const sets = new Map<string, ReadonlySet<Scope>>();
  const toScopes = (record: KeyRecord): ReadonlySet<Scope> => {
    // The scopes of an admin key are not only those in its list.
    if (record.created_by === null) return new Set(heldScopes(record));
    const set = sets.get(record.scopes) ?? new Set(heldScopes(record));
    sets.set(record.scopes, set);
    return set;
  };
  return (record) => {
    // Tenants are identified by the ids of workspaces. A key of an organisation acts in its workspace `default`.
    const workspace = record.workspace_id ?? record.default_workspace_id;
    const shares = sharedLimits(record.limits);
    return {
      tenant: (workspace ?? record.organisation_id) as TenantId,
      keyId: record.id,
      kind: record.kind,
      organisation: record.organisation_id as OrganisationId,
      ...(workspace !== null && { workspace: workspace as WorkspaceId }),
      reach: record.kind === 'organisation' ? 'organisation' : 'workspace',
      ...(record.user_id !== null && { userId: record.user_id }),
      scopes: toScopes(record),
      defaults: toDefaults(record.defaults),
      ...(shares !== undefined && { sharesLimitsOf: shares }),
    };
  };
};
