import type { VectorRow, Vectors } from '../../sdk/cache/vectors.ts';
import { FairLru } from '../../sdk/fairness/fair-lru.ts';
import type { Timers } from '../../sdk/http/in-process.ts';
import { maxInPartition } from './max-in-partition.ts';
import { findNearest, isAlike } from './similarity.ts';

interface Row extends VectorRow {
  /** Milliseconds since the epoch. */
  readonly until: number;
}

type Partition = Map<string, Row>;

/** The size of a row apart from its vector. */
const rowBytes = 500;

const maxRows = 100_000;

const toKey = ({ partition, id }: Pick<VectorRow, 'partition' | 'id'>): string => `${partition} ${id}`;

/**
 * Stores vectors in this process's memory, with limits in bytes and number that tenants share fairly. The least recently used
 * ones of a tenant are evicted first.
 */
export const memoryVectors = ({ maxBytes }: { readonly maxBytes: number }, timers: Pick<Timers, 'wall'>): Vectors => {
  const partitions = new Map<string, Partition>();

  const forget = ({ partition, id }: Row): void => {
    const rows = partitions.get(partition);
    rows?.delete(id);
    if (rows?.size === 0) partitions.delete(partition);
  };

  const kept = new FairLru<Row>({
    maxBytes,
    maxEntries: maxRows,
    sizeOf: ({ vector }) => rowBytes + vector.byteLength,
    removed: forget,
  });

  /** Returns the rows of a partition that have not expired. */
  const current = (partition: string): readonly Row[] => {
    const rows = [...(partitions.get(partition)?.values() ?? [])];
    const now = timers.wall();
    for (const row of rows) if (row.until <= now) kept.delete(toKey(row));
    return rows.filter(({ until }) => until > now);
  };

  return {
    has: async (partition) => current(partition).length > 0,
    async nearest(partition, vector, min) {
      const found = findNearest(current(partition), vector, min);
      // Rows that are not similar enough do not count as used.
      for (const { id, similarity } of found) if (isAlike(similarity, min)) kept.get(toKey({ partition, id }));
      return found;
    },
    async add(row) {
      kept.delete(toKey(row));
      const rows = current(row.partition);
      for (const old of rows.slice(0, Math.max(0, rows.length + 1 - maxInPartition))) kept.delete(toKey(old));
      const added: Row = { ...row, until: timers.wall() + row.ttlS * 1000 };
      const partition = partitions.get(row.partition) ?? new Map<string, Row>();
      partitions.set(row.partition, partition.set(row.id, added));
      if (!kept.set(row.tenant, toKey(row), added)) forget(added);
    },
    async remove(partition, id) {
      kept.delete(toKey({ partition, id }));
    },
    async close() {
      kept.clear();
    },
  };
};
