import { describe, expect, it } from 'vitest';
import { memoryCache } from '../../../plugins/caches/memory-cache.ts';
import type { CacheEntry, CacheKey, ResponseCache } from '../../../plugins/sdk/cache/cache.ts';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { type CacheContract, testCache } from '../../../plugins/testkit/test-cache.ts';

const tested = (change: (cache: ResponseCache) => Partial<ResponseCache>): Promise<void> => {
  const clock = createVirtualClock();
  const contract: CacheContract = {
    open: () => {
      const cache = memoryCache({ maxBytes: 1_000_000 }, clock);
      return { ...cache, ...change(cache) };
    },
    pass: (seconds) => clock.advance(seconds * 1000),
  };
  return testCache('changed', contract);
};

/** A cache that neither copies nor expires entries, and has no limit. */
const keeping = (): ResponseCache & { readonly entries: Map<string, CacheEntry> } => {
  const entries = new Map<string, CacheEntry>();
  return {
    entries,
    read: async ({ id }) => {
      const entry = entries.get(id);
      return entry === undefined ? { kind: 'miss' } : { kind: 'hit', entry };
    },
    write: async ({ id }, entry) => void entries.set(id, entry),
  };
};

describe('testCache', () => {
  it('accepts a cache that keeps the contract', async () => {
    await expect(tested(() => ({}))).resolves.toBeUndefined();
  });

  it.each<[string, (cache: ResponseCache) => Partial<ResponseCache>, string]>([
    [
      'mixes keys',
      () => {
        const { read, write } = keeping();
        const same = (key: CacheKey): CacheKey => ({ ...key, id: 'same' });
        return { read: (key) => read(same(key)), write: (key, entry, ttlS) => write(same(key), entry, ttlS) };
      },
      'a key returns the entry of another key',
    ],
    ['does not copy entries', keeping, 'an entry changes with the bytes that were written'],
    ['never expires entries', keeping, 'an entry is found after it has expired'],
    [
      'forgets that an entry is a stream',
      ({ write }) => ({ write: (key, entry, ttlS) => write(key, { ...entry, isStream: false }, ttlS) }),
      'an entry is not read as it was written',
    ],
    ['forgets everything', () => ({ write: async () => {} }), 'an empty body is lost'],
    [
      'gives the lead to every caller',
      () => ({ claim: async () => ({ lead: true, release: () => {} }) }),
      'two callers have the lead for one key',
    ],
    [
      'gives the lead to no caller',
      () => ({ claim: async () => ({ lead: false, entry: async () => undefined }) }),
      'nobody has the lead for a key, but it is not granted',
    ],
  ])('rejects a cache that %s', async (_what, change, error) => {
    await expect(tested(change)).rejects.toThrow(error);
  });
});
