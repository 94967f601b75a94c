import { describe, expect, it } from 'vitest';
import type { CacheEntry, CacheKey, CacheRead, ResponseCache } from '../../../../plugins/sdk/cache/cache.ts';
import { lateCache } from '../../../../plugins/sdk/cache/late-cache.ts';

const key = { id: 'a' } as CacheKey;
const entry = {} as CacheEntry;
const miss: CacheRead = { kind: 'miss' };

/** A late cache and a log of what has happened to it. Each entry of `loading` provides the code for one load, in order. */
const late = (...loading: readonly (() => Promise<Partial<ResponseCache>>)[]) => {
  const log: string[] = [];
  const whole: ResponseCache = {
    read: () => miss,
    write: async ({ id }) => void log.push(`write ${id}`),
    claim: async (_, leaseMs) => ({ lead: true, release: () => void log.push(`released after ${leaseMs}`) }),
    close: async () => void log.push('close'),
  };
  const cache = lateCache({
    claims: true,
    load: async () => {
      log.push('load');
      const load = loading[Math.min(log.filter((text) => text === 'load').length, loading.length) - 1];
      return { ...whole, ...(await load?.()) };
    },
  });
  return { cache, log };
};

describe('a late cache', () => {
  it('starts to load when it is created, and answers synchronously once it is loaded', async () => {
    const { cache, log } = late();
    expect(log).toEqual(['load']);
    expect(await cache.read(key)).toEqual(miss);
    expect(cache.read(key)).toBe(miss);
    expect(log).toEqual(['load']);
  });

  it('delegates every method to its code', async () => {
    const { cache, log } = late();
    await cache.write(key, entry, 1);
    const claimed = await cache.claim?.(key, 9);
    if (claimed?.lead === true) claimed.release();
    await cache.close?.();
    expect(log).toEqual(['load', 'write a', 'released after 9', 'close']);
  });

  it('loads its code again after a failure, which only the waiting caller sees', async () => {
    const { cache, log } = late(
      () => Promise.reject(new Error('The file is gone.')),
      async () => ({}),
    );
    await expect(cache.read(key)).rejects.toThrow('The file is gone.');
    expect(await cache.read(key)).toEqual(miss);
    expect(log).toEqual(['load', 'load']);
  });

  it('can be closed even if its code failed to load', async () => {
    const { cache, log } = late(() => Promise.reject(new Error('The file is gone.')));
    await cache.close?.();
    expect(log).toEqual(['load']);
  });
});
