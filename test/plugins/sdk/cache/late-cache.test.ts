import { describe, expect, it } from 'vitest';
import type { CacheEntry, CacheKey, CacheRead, ResponseCache } from '../../../../plugins/sdk/cache/cache.ts';
import { lateCache } from '../../../../plugins/sdk/cache/late-cache.ts';

const key = { id: 'a' } as CacheKey;
const entry = {} as CacheEntry;
const miss: CacheRead = { kind: 'miss' };

/** A late cache whose code is what `loading` gives, one after another, and what has happened to it. */
const late = (...loading: readonly (() => Promise<Partial<ResponseCache>>)[]) => {
  const told: string[] = [];
  const whole: ResponseCache = {
    read: () => miss,
    write: async ({ id }) => void told.push(`write ${id}`),
    claim: async (_, leaseMs) => ({ lead: true, release: () => void told.push(`released after ${leaseMs}`) }),
    close: async () => void told.push('close'),
  };
  const cache = lateCache({
    claims: true,
    load: async () => {
      told.push('load');
      const load = loading[Math.min(told.filter((text) => text === 'load').length, loading.length) - 1];
      return { ...whole, ...(await load?.()) };
    },
  });
  return { cache, told };
};

describe('a late cache', () => {
  it('begins to load when it is made, and then answers at once', async () => {
    const { cache, told } = late();
    expect(told).toEqual(['load']);
    expect(await cache.read(key)).toEqual(miss);
    expect(cache.read(key)).toBe(miss);
    expect(told).toEqual(['load']);
  });

  it('does what its code does', async () => {
    const { cache, told } = late();
    await cache.write(key, entry, 1);
    const claimed = await cache.claim?.(key, 9);
    if (claimed?.lead === true) claimed.release();
    await cache.close?.();
    expect(told).toEqual(['load', 'write a', 'released after 9', 'close']);
  });

  it('loads its code again after a failure, which is one of who asked', async () => {
    const { cache, told } = late(
      () => Promise.reject(new Error('The file is gone.')),
      async () => ({}),
    );
    await expect(cache.read(key)).rejects.toThrow('The file is gone.');
    expect(await cache.read(key)).toEqual(miss);
    expect(told).toEqual(['load', 'load']);
  });

  it('closes though its code was not there', async () => {
    const { cache, told } = late(() => Promise.reject(new Error('The file is gone.')));
    await cache.close?.();
    expect(told).toEqual(['load']);
  });
});
