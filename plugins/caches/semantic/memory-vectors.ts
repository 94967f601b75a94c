import { LRUCache } from 'lru-cache';
import type { VectorRow, Vectors } from '../../sdk/cache/vectors.ts';
import type { Timers } from '../../sdk/http/in-process.ts';
import { maxInPartition } from './max-in-partition.ts';
import { findNearest, isAlike } from './similarity.ts';

interface Row extends VectorRow {
  /** Milliseconds since the epoch. */
  readonly until: number;
}

type Partition = Map<string, Row>;

/** The size of a row beside its vector. */
const rowBytes = 500;

const maxRows = 100_000;

const toKey = ({ partition, id }: Pick<VectorRow, 'partition' | 'id'>): string => `${partition} ${id}`;

/** Vectors in this process's memory, bounded in bytes and number: the least recently used ones are dropped first. */
export const memoryVectors = ({ maxBytes }: { readonly maxBytes: number }, timers: Pick<Timers, 'wall'>): Vectors => {
  const partitions = new Map<string, Partition>();

  const forget = ({ partition, id }: Row): void => {
    const rows = partitions.get(partition);
    rows?.delete(id);
    if (rows?.size === 0) partitions.delete(partition);
  };

  const kept = new LRUCache<string, Row>({
    maxSize: maxBytes,
    sizeCalculation: ({ vector }) => rowBytes + vector.byteLength,
    dispose: forget,
  });

  /** The rows of a partition whose time is not over. */
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
      // A row that is not alike enough is not used.
      for (const { id, similarity } of found) if (isAlike(similarity, min)) kept.get(toKey({ partition, id }));
      return found;
    },
    async add(row) {
      kept.delete(toKey(row));
      // The bound is not one of the cache's own, which would take the memory for all rows at once.
      while (kept.size >= maxRows) kept.pop();
      const rows = current(row.partition);
      for (const old of rows.slice(0, Math.max(0, rows.length + 1 - maxInPartition))) kept.delete(toKey(old));
      const added: Row = { ...row, until: timers.wall() + row.ttlS * 1000 };
      const partition = partitions.get(row.partition) ?? new Map<string, Row>();
      partitions.set(row.partition, partition.set(row.id, added));
      kept.set(toKey(row), added);
      // A row that is too large for the bound was not kept.
      if (!kept.has(toKey(row))) forget(added);
    },
    async remove(partition, id) {
      kept.delete(toKey({ partition, id }));
    },
    async close() {
      kept.clear();
    },
  };
};
