import { fromJson } from '../../../../schema/json/from-json.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { Clock } from '../../../sdk/clock.ts';
import type { ItemsOwner } from '../../../sdk/control-plane/stored-items.ts';
import { ownModule } from '../../../sdk/loading/own-module.ts';
import { type SealedAt, SecretError } from '../../kernel/secrets/seal.ts';
import type { Sealer } from '../../kernel/secrets/sealer.ts';
import { type Store, StoreError } from '../../kernel/store/store.ts';
import type { NamedItemRow } from '../../kernel/store/tables.ts';
import { waitAtMost } from '../../kernel/store/wait-at-most.ts';

interface ItemPlace extends ItemsOwner {
  readonly id: string;
}

/** Seals items, each for its owner and its id. Both methods reject with a `StoreError` if the store is unavailable. */
interface ItemSeals {
  /** Undefined if nothing can be sealed, as without a master key. */
  seal(place: ItemPlace, text: string): Promise<string | undefined>;
  /** Undefined if the item does not open. */
  open(place: ItemPlace, row: Pick<NamedItemRow, 'item'>): Promise<JsonObject | undefined>;
}

const sealedAt = ({ tenant, owner, id }: ItemPlace): SealedAt => ({
  tenant,
  table: 'named_items',
  id: `${owner} ${id}`,
  field: 'item',
});

const unlessSecret = (error: unknown): undefined => {
  if (!(error instanceof SecretError)) throw error;
};

export const createItemSeals = (sealer: Pick<Sealer, 'seal' | 'open'>): ItemSeals => ({
  seal: (place, text) => sealer.seal(text, sealedAt(place)).then((sealed) => JSON.stringify(sealed), unlessSecret),
  open: (place, { item }) => sealer.open(fromJson(item), sealedAt(place)).then(parseObject, unlessSecret),
});

/** Writes items in the background, after the responses that contain them. */
interface ItemWriter {
  /** Adds an item. Never throws and never waits. */
  add(of: ItemsOwner, id: string, text: string): void;
  /** Finds an item that is not written yet. */
  waiting(of: ItemsOwner, id: string): JsonObject | undefined;
  /** Resolves when everything that waits now is written, or cannot be. */
  flush(): Promise<void>;
  /** Writes what waits, for a short time. */
  close(): Promise<void>;
}

const itemsJob = ownModule('plugins/control/work/response-items/items-job');

/**
 * How long items are collected before a write, in milliseconds. It is shorter for PostgreSQL, because other processes want to
 * read them.
 */
const gatherMs = { sqlite: 250, postgres: 100 } as const;
const retryMs = 1000;
const longestClose = 3000;
const maxBatch = 200;
const maxBatchBytes = 4 * 1024 * 1024;

/** The maximum number of bytes that wait; beyond that the oldest items are dropped. */
const maxWaitingBytes = 8 * 1024 * 1024;

interface Waiting {
  readonly of: ItemsOwner;
  readonly id: string;
  readonly text: string;
  readonly at: number;
}

const toKey = ({ tenant, owner }: ItemsOwner, id: string): string => `${tenant} ${owner} ${id}`;

export const createItemWriter = ({
  store,
  seals,
  clock,
  onWritten,
}: {
  readonly store: Pick<Store, 'kind' | 'perform'>;
  readonly seals: ItemSeals;
  readonly clock: Clock;
  /** Called after a write, with the number of bytes written. */
  readonly onWritten: (bytes: number) => void;
}): ItemWriter => {
  const queue = new Map<string, Waiting>();
  let bytes = 0;
  let writing: Promise<void> | undefined;
  let stopTimer: (() => void) | undefined;
  let isClosing = false;

  const remove = (key: string): void => {
    bytes -= queue.get(key)?.text.length ?? 0;
    queue.delete(key);
  };

  const nextBatch = (): readonly [string, Waiting][] => {
    const batch: [string, Waiting][] = [];
    let size = 0;
    for (const entry of queue) {
      if (batch.length === maxBatch || size >= maxBatchBytes) break;
      size += entry[1].text.length;
      batch.push(entry);
    }
    return batch;
  };

  /** Seals an item for its place; undefined if nothing can be sealed. Rejects with a `StoreError` if the store is unavailable. */
  const toRow = async ({ of: { tenant, owner }, id, text, at }: Waiting): Promise<NamedItemRow | undefined> => {
    const item = await seals.seal({ tenant, owner, id }, text);
    return item === undefined
      ? undefined
      : { workspace_id: tenant, owner, id, created_at: at, bytes: item.length, item };
  };

  /** Writes items. Resolves to whether they were written or never will be, so that they need not wait any longer. */
  const write = async (batch: readonly Waiting[]): Promise<boolean> => {
    try {
      const rows = (await Promise.all(batch.map(toRow))).filter((row) => row !== undefined);
      if (rows.length === 0) return true;
      const text = Buffer.from(JSON.stringify(rows));
      await store.perform(itemsJob, text);
      onWritten(text.length);
      return true;
    } catch (error) {
      return !(error instanceof StoreError);
    }
  };

  const writeAll = async (): Promise<void> => {
    for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) {
      if (!(await write(batch.map(([, waiting]) => waiting)))) return;
      // A newer item with the same id may have arrived meanwhile, and still waits.
      for (const [key, waiting] of batch) if (queue.get(key) === waiting) remove(key);
    }
  };

  const start = (): Promise<void> => {
    stopTimer?.();
    stopTimer = undefined;
    writing ??= writeAll().finally(() => {
      writing = undefined;
      if (queue.size > 0) schedule(retryMs);
    });
    return writing;
  };

  const schedule = (ms: number): void => {
    if (isClosing || stopTimer !== undefined || writing !== undefined) return;
    stopTimer = clock.after(ms, () => void start());
  };

  return {
    add(of, id, text) {
      if (isClosing) return;
      const key = toKey(of, id);
      remove(key);
      for (const [oldest] of queue) {
        if (bytes + text.length <= maxWaitingBytes) break;
        remove(oldest);
      }
      queue.set(key, { of, id, text, at: clock.wall() });
      bytes += text.length;
      schedule(gatherMs[store.kind]);
    },
    waiting(of, id) {
      const found = queue.get(toKey(of, id));
      return found && (fromJson(found.text) as JsonObject);
    },
    async flush() {
      await writing;
      await start();
    },
    async close() {
      isClosing = true;
      await waitAtMost([start().then(start)], longestClose);
    },
  };
};
