import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import {
  countRows,
  lacksNulCharacters,
  type PageResult,
  paginateNewest,
  type Reading,
  type ResourcePage,
} from '../../kernel/records/records.ts';
import { containsText } from '../../kernel/records/search.ts';
import { conflict, notFound } from '../../kernel/requests/refusals.ts';
import { type Scope, scopes } from '../../kernel/requests/scopes.ts';
import type { Overlay } from '../../kernel/resource/control-parts.ts';
import { jsonRows } from '../../kernel/store/rows/json-rows.ts';
import type { Store, Writing } from '../../kernel/store/store.ts';
import type { KeyRow, Tables } from '../../kernel/store/tables.ts';
import type { ShownStatus } from './key-bodies.ts';
import { heldScopes, readableScopes } from './key-principal.ts';
import { toExpiryTime } from './maker-bounds.ts';

const managing = scopes.filter((scope) => scope.startsWith('keys.'));

/** Whether a key has all of some scopes. A key whose scopes cannot be read has none. */
const isHeldBy = (row: KeyRow, wanted: readonly Scope[]): boolean => {
  const held = readableScopes(row) ?? [];
  return wanted.every((scope) => held.includes(scope));
};

/** Returns until when a key manages all keys of its organisation, in milliseconds since the epoch; 0 if it does not. */
export const adminUntil = (row: KeyRow): number => {
  if (row.kind !== 'organisation' || row.status === 'revoked') return 0;
  return isHeldBy(row, managing) ? toExpiryTime(row.expires_at) : 0;
};

/**
 * Throws the `GatewayError` `conflict` if a change ends an admin key, which manages the keys of its organisation, or makes it end
 * sooner, unless another admin key has the same scopes and lasts as long. Call it in the transaction that makes the change.
 */
export const refuseLastAdmin = async (
  db: Reading,
  { before, after, now }: { readonly before: KeyRow; readonly after: KeyRow; readonly now: number },
): Promise<void> => {
  const until = adminUntil(before);
  if (until <= now || adminUntil(after) >= until) return;
  const others = await db
    .selectFrom('keys')
    .selectAll()
    .where('organisation_id', '=', before.organisation_id)
    .where('kind', '=', 'organisation')
    .where('status', '!=', 'revoked')
    .where('id', '!=', before.id)
    .execute();
  const held = heldScopes(before);
  if (!others.some((other) => adminUntil(other) >= until && isHeldBy(other, held)))
    throw conflict(
      'This is the last admin key of the organisation: no other key has the same scopes and lasts as long.',
      'Create another key of the organisation with all scopes first.',
    );
};

/** The keys that a caller sees: those of an organisation, of one of its workspaces, or of one user of a workspace. */
export interface KeySight {
  readonly organisation: string;
  readonly workspace?: string | undefined;
  readonly user?: string | undefined;
}

/** Selects keys by their status at a time. */
export interface StatusFilter {
  readonly is: ShownStatus;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The ids of the exhausted keys, whatever their rows contain; needed with the statuses `active` and `exhausted`. */
  readonly exhausted: readonly string[];
}

export interface KeyFilter {
  readonly workspace?: string | undefined;
  readonly status?: StatusFilter | undefined;
  /** A text in the name, in any case of ASCII letters. */
  readonly search?: string | undefined;
  readonly ids?: readonly string[] | undefined;
}

/** A filter, and the kind of the database. */
type StoreFilter = KeyFilter & Pick<Store, 'kind'>;

/** Does what `isExpired` does. */
const isExpiredAt = (where: ExpressionBuilder<Tables, 'keys'>, now: number): Expression<SqlBool> =>
  where.and([where('expires_at', 'is not', null), where('expires_at', '<=', now)]);

const hasStatus = (where: ExpressionBuilder<Tables, 'keys'>, { kind, status }: StoreFilter): Expression<SqlBool> => {
  if (status === undefined) return where.and([]);
  const { is, now, exhausted } = status;
  if (is === 'revoked') return where.and({ status: is });
  const [isKept, hasEnded] = [where('status', '!=', 'revoked'), isExpiredAt(where, now)];
  if (is === 'expired') return where.and([isKept, hasEnded]);
  const stored = where.and([where('status', '=', is), where.not(hasEnded)]);
  if (exhausted.length === 0) return stored;
  const ids = jsonRows(
    kind,
    ['id'],
    exhausted.map((id) => ({ id })),
  );
  const usedUp = sql<string>`(select id from ${ids})`;
  return is === 'exhausted'
    ? where.or([stored, where.and([isKept, where.not(hasEnded), where('id', 'in', usedUp)])])
    : where.and([stored, where('id', 'not in', usedUp)]);
};

const matching =
  ({ organisation, workspace, user }: KeySight, { id, filter }: { id?: string; filter?: StoreFilter } = {}) =>
  (where: ExpressionBuilder<Tables, 'keys'>): Expression<SqlBool> =>
    where
      .and({
        organisation_id: organisation,
        ...(workspace !== undefined && { workspace_id: workspace }),
        ...(user !== undefined && { user_id: user }),
        ...(id !== undefined && { id }),
      })
      .and(where.and(filter?.workspace === undefined ? {} : { workspace_id: filter.workspace }))
      .and(where.and(filter?.ids === undefined ? [] : [where('id', 'in', filter.ids)]))
      .and(
        where.and(
          filter === undefined ? [] : [hasStatus(where, filter), containsText(filter.kind, ['name'], filter.search)],
        ),
      );

/** The latest time that a `Date` can represent, in milliseconds. Larger values, such as texts in SQLite, were written by hand. */
const latestTime = 8.64e15;

/**
 * Returns the `updated_at` of a change to a table. It is later than that of every earlier change, even if the clocks of processes
 * differ, so that processes that follow the table can query everything later than what they have.
 */
export const timeOfChange = async (
  db: Reading,
  table: 'keys' | 'organisations' | 'sessions',
  now: number,
): Promise<number> => {
  const { latest } = await db
    .selectFrom(table)
    .select((select) => select.fn.max('updated_at').as('latest'))
    .where('updated_at', '<', latestTime)
    .executeTakeFirstOrThrow();
  return Math.max(now, Number(latest ?? 0) + 1);
};

/** Notifies the processes that follow the limits, if a key has any before or after a change. */
const bumpLimits = async (
  store: Store,
  writing: Writing,
  ...keys: readonly Pick<KeyRow, 'limits' | 'workspace_id' | 'organisation_id'>[]
): Promise<void> => {
  const limited = keys.find(({ limits }) => limits !== null);
  if (limited !== undefined) await store.bump(writing, 'policies', limited.workspace_id ?? limited.organisation_id);
};

/** Adds a key in a transaction, and notifies the processes that follow the keys. */
export const insertKey = async (
  store: Store,
  writing: Writing,
  row: Omit<KeyRow, 'created_at' | 'updated_at'> & { readonly now: number },
): Promise<void> => {
  const { now, ...columns } = row;
  const updated_at = await timeOfChange(writing, 'keys', now);
  await writing
    .insertInto('keys')
    .values({ ...columns, created_at: now, updated_at })
    .execute();
  await store.bump(writing, 'keys');
  await bumpLimits(store, writing, columns);
};

/** Changes the key of a row in a transaction, and notifies the processes that follow the keys. */
export const changeKey = async (
  store: Store,
  writing: Writing,
  { row, change, now }: { readonly row: KeyRow; readonly change: Partial<KeyRow>; readonly now: number },
): Promise<KeyRow> => {
  const updated_at = await timeOfChange(writing, 'keys', now);
  await writing
    .updateTable('keys')
    .set({ ...change, updated_at })
    .where('id', '=', row.id)
    .where('organisation_id', '=', row.organisation_id)
    .execute();
  await store.bump(writing, 'keys');
  const after = { ...row, ...change, updated_at };
  await bumpLimits(store, writing, row, after);
  return after;
};

/** Returns the key with an id. Throws the `GatewayError` `not-found` if there is no such visible key. */
export const getKey = async (db: Reading, sight: KeySight, id: string): Promise<KeyRow> => {
  const row = lacksNulCharacters(id)
    ? await db.selectFrom('keys').selectAll().where(matching(sight, { id })).executeTakeFirst()
    : undefined;
  if (row === undefined) throw notFound('service key', id, 'GET /v1/api-keys');
  return row;
};

/** Lists the visible keys, the newest first. */
export const listKeys = (
  { db, kind }: Store,
  sight: KeySight,
  { filter, page }: { readonly filter: KeyFilter; readonly page: ResourcePage },
): Promise<PageResult<KeyRow>> =>
  paginateNewest(
    db
      .selectFrom('keys')
      .selectAll()
      .where(matching(sight, { filter: { ...filter, kind } })),
    page,
  );

/** Counts the keys of a workspace that are not revoked. For an organisation, counts only its own keys. */
export const countKeys = (
  db: Reading,
  { organisation_id, workspace_id }: Pick<KeyRow, 'organisation_id' | 'workspace_id'>,
): Promise<number> =>
  countRows(
    db
      .selectFrom('keys')
      .where('organisation_id', '=', organisation_id)
      .where('workspace_id', workspace_id === null ? 'is' : '=', workspace_id)
      .where('status', '!=', 'revoked'),
  );

/** Returns the visible keys that have limits and are not revoked. */
export const limitedKeys = ({ db }: Pick<Store, 'db'>, sight: KeySight): Promise<readonly KeyRow[]> =>
  db
    .selectFrom('keys')
    .selectAll()
    .where(matching(sight))
    .where('limits', 'is not', null)
    .where('status', '!=', 'revoked')
    .execute();

/**
 * Resolves to whether a workspace, or the gateway's files, have a config of this name. A workspace's config can be named by id or
 * slug.
 */
export const hasConfig = async (
  db: Reading,
  {
    overlay,
    workspace,
    name,
  }: {
    readonly overlay: Overlay;
    readonly workspace: string;
    readonly name: string;
  },
): Promise<boolean> =>
  [...overlay.configNames()].includes(name) ||
  (await db
    .selectFrom('configs')
    .select('id')
    .where('workspace_id', '=', workspace)
    .where((where) => where.or({ id: name, slug: name }))
    .executeTakeFirst()) !== undefined;
