import { dayMs } from '../../../../schema/durations.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Clock } from '../../../sdk/clock.ts';
import type { ItemsOwner, StoredItems } from '../../../sdk/control-plane/stored-items.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { within } from '../../../sdk/time/within.ts';
import type { Sealer } from '../../kernel/secrets/sealer.ts';
import { pruneHourly } from '../../kernel/store/prune-hourly.ts';
import type { Store } from '../../kernel/store/store.ts';
import { deleteItems, findItems, pruneItems } from './item-store.ts';
import { createItemSeals, createItemWriter } from './item-writer.ts';

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
/** Another process may write an item only now: it is looked for again after these times, in milliseconds. */
const againMs = [100, 200, 300, 400] as const;

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
  const pruning = pruneHourly({ clock, prune: (_, isOver) => prune(isOver) });

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

  const pause = (ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve));

  /** Reads items, and those that other processes write soon. A file of SQLite is served by one process alone. */
  const readSoon = async (of: ItemsOwner, ids: readonly string[]): Promise<readonly JsonObject[]> => {
    const items = [...(await read(of, ids))];
    for (const ms of store.kind === 'postgres' ? againMs : []) {
      const found = new Set(items.map(({ id }) => id));
      const missing = ids.filter((id) => !found.has(id));
      if (missing.length === 0) break;
      await pause(ms);
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
