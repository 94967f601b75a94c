import type { CacheEntry, CacheOptions, ResponseCache } from '../sdk/cache/cache.ts';
import { largestEntry } from '../sdk/cache/largest-entry.ts';
import { FairLru } from '../sdk/fairness/fair-lru.ts';
import type { Timers } from '../sdk/http/in-process.ts';
import { toBuffer } from '../sdk/http/to-buffer.ts';

interface StoredAnswer {
  readonly entry: CacheEntry;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** The size of an entry with its key, apart from its body and its headers. */
const entryBytes = 1000;

const countBytes = ({ entry: { body, headers } }: StoredAnswer): number =>
  entryBytes + body.length + headers.reduce((sum, text) => sum + text.length * 2, 0);

/**
 * Caches answers in this process's memory, with a limit in bytes that tenants share fairly. The least recently used answers of a
 * tenant are evicted first.
 */
export const memoryCache = ({ maxBytes }: CacheOptions, timers: Pick<Timers, 'wall'>): ResponseCache => {
  const kept = new FairLru<StoredAnswer>({
    maxBytes,
    maxEntryBytes: largestEntry(maxBytes),
    sizeOf: countBytes,
  });
  return {
    read({ id }) {
      const found = kept.get(id);
      if (found === undefined) return { kind: 'miss' };
      if (timers.wall() < found.until) return { kind: 'hit', entry: found.entry };
      kept.delete(id);
      return { kind: 'miss' };
    },
    async write({ id, request }, entry, ttlS) {
      // A copy, because the bytes of an answer may be a small part of a large piece of memory.
      const own = { ...entry, body: toBuffer(new Uint8Array(entry.body)) };
      kept.set(request.tenant, id, { entry: own, until: timers.wall() + ttlS * 1000 });
    },
    async close() {
      kept.clear();
    },
  };
};
