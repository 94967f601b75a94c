import type { ItemsOwner } from '../../../sdk/control-plane/stored-items.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { pruneSteps } from '../../kernel/store/prune-hourly.ts';
import type { Store, Writing } from '../../kernel/store/store.ts';
import type { NamedItemRow } from '../../kernel/store/tables/tables.ts';

/** As many as one statement asks for. */
const maxAtOnce = 64;
/** The most bytes that are read for one request, as they are stored. */
const maxReadBytes = 32 * 1024 * 1024;

export interface ItemsQuery extends ItemsOwner {
  readonly ids: readonly string[];
  /** Items that are older than this time are not found, in milliseconds since the epoch. */
  readonly since: number;
}

/** Finds rows, in any order; no more than fit into the memory for one request. */
export const findItems = async (
  { db }: Pick<Store, 'db'>,
  { tenant, owner, ids, since }: ItemsQuery,
): Promise<readonly NamedItemRow[]> => {
  const rows: NamedItemRow[] = [];
  let bytes = 0;
  for (let at = 0; at < ids.length && bytes < maxReadBytes; at += maxAtOnce) {
    const found = await db
      .selectFrom('named_items')
      .selectAll()
      .where('workspace_id', '=', tenant)
      .where('owner', '=', owner)
      .where('id', 'in', ids.slice(at, at + maxAtOnce))
      .where('created_at', '>', since)
      .execute();
    rows.push(...found);
    bytes += found.reduce((sum, row) => sum + row.bytes, 0);
  }
  return rows;
};

/** Deletes items by their ids, whoever's of the workspace they are. */
export const deleteItems = async (
  store: Pick<Store, 'write'>,
  tenant: TenantId,
  ids: readonly string[],
): Promise<void> => {
  if (ids.length === 0) return;
  await store.write(async (writing) => {
    await writing.deleteFrom('named_items').where('workspace_id', '=', tenant).where('id', 'in', ids).execute();
  });
};

/** Computes the size that each workspace may have at most, so that all of them together have `max`: those that have less keep all of it. */
export const sizeCap = (sizes: readonly number[], max: number): number => {
  let left = max;
  const rising = sizes.toSorted((one, other) => one - other);
  for (const [at, size] of rising.entries()) {
    const share = left / (rising.length - at);
    if (size > share) return share;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
};

/** Rows that one transaction deletes, about. */
const step = 500;

/** Deletes some of the oldest of a workspace, until it has given up so many bytes. Resolves to how many those were. */
const deleteOldest = async (writing: Writing, workspace: string, bytes: number): Promise<number> => {
  const oldest = await writing
    .selectFrom('named_items')
    .select(['created_at', 'bytes'])
    .where('workspace_id', '=', workspace)
    .orderBy('created_at')
    .limit(step)
    .execute();
  let given = 0;
  const last = oldest.find((row) => {
    given += row.bytes;
    return given >= bytes;
  });
  const until = (last ?? oldest.at(-1))?.created_at;
  if (until === undefined) return 0;
  await writing
    .deleteFrom('named_items')
    .where('workspace_id', '=', workspace)
    .where('created_at', '<=', until)
    .execute();
  return given;
};

export interface ItemBounds {
  /** Older items are deleted, in milliseconds since the epoch. */
  readonly since: number;
  /** The most bytes that all workspaces have together. */
  readonly maxBytes: number;
}

/** A part of the space stays free, so that deleting does not begin anew at once. */
const fullShare = 0.95;

const makeRoom = async (store: Store, maxBytes: number, isOver: () => boolean): Promise<void> => {
  const rows = await store.db
    .selectFrom('named_items')
    .select(({ fn }) => ['workspace_id', fn.sum<number>('bytes').as('bytes')])
    .groupBy('workspace_id')
    .execute();
  const sizes = rows.map((row) => ({ workspace: row.workspace_id, bytes: Number(row.bytes) }));
  if (sizes.reduce((sum, { bytes }) => sum + bytes, 0) <= maxBytes) return;
  const cap = sizeCap(
    sizes.map(({ bytes }) => bytes),
    maxBytes * fullShare,
  );
  for (const { workspace, bytes } of sizes) {
    let over = bytes - cap;
    await pruneSteps(async () => {
      if (over <= 0) return 0;
      const given = await store.write((writing) => deleteOldest(writing, workspace, over));
      over -= given;
      return given;
    }, isOver);
  }
};

/** Deletes what is too old, and where the rest is too large the oldest of the workspaces that have most. Rejects as the store does. */
export const pruneItems = async (
  store: Store,
  { since, maxBytes }: ItemBounds,
  isOver: () => boolean,
): Promise<void> => {
  await pruneSteps(
    () =>
      store.write(async (writing) => {
        const old = await writing
          .selectFrom('named_items')
          .select('created_at')
          .where('created_at', '<=', since)
          .orderBy('created_at')
          .limit(step)
          .execute();
        const until = old.at(-1)?.created_at;
        if (until !== undefined) await writing.deleteFrom('named_items').where('created_at', '<=', until).execute();
        return old.length;
      }),
    isOver,
  );
  await makeRoom(store, maxBytes, isOver);
};
