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

/** As many as one statement asks for. */
const maxAtOnce = 64;
/** The most bytes that are read for one request, as they are stored. */
const maxReadBytes = 32 * 1024 * 1024;

interface ItemsQuery extends ItemsOwner {
  readonly ids: readonly string[];
  /** Items that are older than this time are not found, in milliseconds since the epoch. */
  readonly since: number;
}

/** Finds rows, in any order; no more than fit into the memory for one request. */
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

/** Deletes items by their ids, whoever's of the workspace they are. */
const deleteItems = async (store: Pick<Store, 'write'>, tenant: TenantId, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0)
    await store.write((writing) =>
      writing.deleteFrom('named_items').where('workspace_id', '=', tenant).where('id', 'in', ids).execute(),
    );
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
const pruneItems = async (
  store: Store,
  {
    since,
    maxBytes,
  }: {
    /** Older items are deleted, in milliseconds since the epoch. */
    readonly since: number;
    /** The most bytes that all workspaces have together. */
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
  /** The most bytes that all workspaces have in the store together; 256 MiB if absent. */
  readonly maxBytes?: number;
}

/** Items in the store, which is written and pruned until they are closed. */
export interface OpenedItems extends StoredItems {
  /** Deletes items of a workspace, whoever's they are. Rejects as the store does. */
  remove(tenant: TenantId, ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

const defaultMaxBytes = 256 * 1024 * 1024;
/** After so much was written, the size is looked at. */
const lookShare = 1 / 16;
/** Of one item, as in memory. */
const maxItemBytes = 1024 * 1024;
/** The most items that one request may name. */
const maxIds = 2000;
const longestMs = 3000;
/**
 * Another process may write an item only now, and slowly where it is busy: it is looked for again after these times,
 * in milliseconds, which are below `longestMs` together.
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
    // What is too much stays until the next look where the store is unavailable.
    prune(() => isClosed).catch(() => {});
  };
  const writer = createItemWriter({ store, seals, clock, onWritten });

  const read = async (of: ItemsOwner, ids: readonly string[]): Promise<readonly JsonObject[]> => {
    const rows = await findItems(store, { ...of, ids, since: since() });
    const items = await Promise.all(rows.map((row) => seals.open({ ...of, id: row.id }, row)));
    return items.filter((item) => item !== undefined);
  };

  /** Reads items, and those that other processes write soon. A file of SQLite is served by one process alone. */
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
      // Items that wait would be written again.
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
