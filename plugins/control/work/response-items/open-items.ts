import { dayMs } from '../../../../schema/durations.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Clock } from '../../../sdk/clock.ts';
import type { ItemsOwner, StoredItems } from '../../../sdk/control-plane/stored-items.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { within } from '../../../sdk/time/within.ts';
import { pruneHourly, pruneSteps } from '../../kernel/jobs/prune-hourly.ts';
import type { Sealer } from '../../kernel/secrets/sealer.ts';
import type { Store, Writing } from '../../kernel/store/store.ts';
import type { NamedItemRow } from '../../kernel/store/tables.ts';
import { createItemSeals, createItemWriter } from './item-writer.ts';

/** The maximum number of ids in one statement. */
const maxAtOnce = 64;
/** The maximum number of stored bytes that are read for one request. */
const maxReadBytes = 32 * 1024 * 1024;

interface ItemsQuery extends ItemsOwner {
  readonly ids: readonly string[];
  /** Items older than this time are not found, in milliseconds since the epoch. */
  readonly since: number;
}

/** Finds rows, in any order, up to the memory limit for one request. */
const findItems = async (
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

/** Deletes items of a workspace by their ids, whatever their owner. */
const deleteItems = async (store: Pick<Store, 'write'>, tenant: TenantId, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0)
    await store.write((writing) =>
      writing.deleteFrom('named_items').where('workspace_id', '=', tenant).where('id', 'in', ids).execute(),
    );
};

/** Computes the maximum size of each workspace so that all of them together have `max`. Workspaces below it keep everything. */
export const fairSizeLimit = (sizes: readonly number[], max: number): number => {
  let left = max;
  const rising = sizes.toSorted((one, other) => one - other);
  for (const [at, size] of rising.entries()) {
    const share = left / (rising.length - at);
    if (size > share) return share;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
};

/** Approximately how many rows one transaction deletes. */
const step = 500;

/** Deletes the oldest items of a workspace until at least so many bytes are freed. Resolves to the number of freed bytes. */
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

/** The share of the space that may be used after pruning, so that deleting does not start again immediately. */
const fullShare = 0.95;

const makeRoom = async (store: Store, maxBytes: number, isOver: () => boolean): Promise<void> => {
  const rows = await store.db
    .selectFrom('named_items')
    .select(({ fn }) => ['workspace_id', fn.sum<number>('bytes').as('bytes')])
    .groupBy('workspace_id')
    .execute();
  const sizes = rows.map((row) => ({ workspace: row.workspace_id, bytes: Number(row.bytes) }));
  if (sizes.reduce((sum, { bytes }) => sum + bytes, 0) <= maxBytes) return;
  const cap = fairSizeLimit(
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

/** Deletes expired items, and, if the rest is too large, the oldest items of the largest workspaces. Rejects like the store. */
const pruneItems = async (
  store: Store,
  {
    since,
    maxBytes,
  }: {
    /** Older items are deleted, in milliseconds since the epoch. */
    readonly since: number;
    /** The maximum number of bytes of all workspaces together. */
    readonly maxBytes: number;
  },
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

export interface ItemsOptions {
  readonly store: Store;
  readonly sealer: Pick<Sealer, 'seal' | 'open'>;
  readonly clock: Clock;
  /** The maximum number of bytes of all workspaces in the store together; 256 MiB if absent. */
  readonly maxBytes?: number;
}

/** Items in the store, which are written and pruned until they are closed. */
export interface OpenedItems extends StoredItems {
  /** Deletes items of a workspace, whatever their owner. Rejects like the store. */
  remove(tenant: TenantId, ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

const defaultMaxBytes = 256 * 1024 * 1024;
/** The share of `maxBytes` that is written before the size is checked again. */
const lookShare = 1 / 16;
/** The maximum size of one item, the same as in memory. */
const maxItemBytes = 1024 * 1024;
/** The maximum number of items that one request may name. */
const maxIds = 2000;
const longestMs = 3000;
/**
 * The pauses between lookups of an item that another process may still be writing, in milliseconds. Together they are shorter
 * than `longestMs`.
 */
const againMs = [100, 200, 300, 400, 600, 900] as const;

const knowable = /^[\w.:=-]{1,256}$/;

const findId = ({ id }: JsonObject): string | undefined =>
  typeof id === 'string' && knowable.test(id) ? id : undefined;

export const openItems = ({ store, sealer, clock, maxBytes = defaultMaxBytes }: ItemsOptions): OpenedItems => {
  const seals = createItemSeals(sealer);
  const since = (): number => clock.wall() - dayMs;
  let isClosed = false;
  let unseen = 0;
  let looking: Promise<void> | undefined;

  const prune = (isOver: () => boolean): Promise<void> => {
    looking ??= pruneItems(store, { since: since(), maxBytes }, isOver).finally(() => {
      looking = undefined;
    });
    return looking;
  };
  const pruning = pruneHourly({ clock, store, prune: (_, isOver) => prune(isOver) });

  const onWritten = (bytes: number): void => {
    unseen += bytes;
    if (unseen < maxBytes * lookShare) return;
    unseen = 0;
    // While the store is unavailable, too large a size stays until the next check.
    prune(() => isClosed).catch(() => {});
  };
  const writer = createItemWriter({ store, seals, clock, onWritten });

  const read = async (of: ItemsOwner, ids: readonly string[]): Promise<readonly JsonObject[]> => {
    const rows = await findItems(store, { ...of, ids, since: since() });
    const items = await Promise.all(rows.map((row) => seals.open({ ...of, id: row.id }, row)));
    return items.filter((item) => item !== undefined);
  };

  /** Reads items, including those that other processes are about to write. A SQLite file is served by one process only. */
  const readSoon = async (of: ItemsOwner, ids: readonly string[]): Promise<readonly JsonObject[]> => {
    const items = [...(await read(of, ids))];
    for (const ms of store.kind === 'postgres' ? againMs : []) {
      const found = new Set(items.map(({ id }) => id));
      const missing = ids.filter((id) => !found.has(id));
      if (missing.length === 0) break;
      await new Promise<void>((resolve) => void clock.after(ms, resolve));
      items.push(...(await read(of, missing)));
    }
    return items;
  };

  return {
    keep(of, items) {
      for (const item of items) {
        const id = findId(item);
        const text = JSON.stringify(item);
        if (id !== undefined && text.length <= maxItemBytes) writer.add(of, id, text);
      }
    },
    async find(of, ids) {
      const known = [...new Set(ids)].filter((id) => knowable.test(id)).slice(0, maxIds);
      const waiting = known.map((id) => writer.waiting(of, id)).filter((item) => item !== undefined);
      const own = new Set(waiting.map(({ id }) => id));
      const others = known.filter((id) => !own.has(id));
      if (others.length === 0) return waiting;
      try {
        return [...waiting, ...(await within(clock, longestMs, readSoon(of, others)))];
      } catch {
        return waiting;
      }
    },
    async remove(tenant, ids) {
      // Otherwise items that still wait would be written again.
      await writer.flush();
      await deleteItems(store, tenant, ids);
    },
    async close() {
      isClosed = true;
      await writer.close();
      await pruning.close();
      await looking?.catch(() => {});
    },
  };
};
