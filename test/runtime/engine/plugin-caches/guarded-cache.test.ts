import { describe, expect, it } from 'vitest';
import type { CacheClaim, CacheRead, ResponseCache } from '../../../../plugins/sdk/cache/cache.ts';
import { createVirtualClock, type VirtualClock } from '../../../../plugins/testkit/route/virtual-clock.ts';
import { type GuardedCache, guardCache } from '../../../../runtime/engine/plugin-caches/guarded-cache.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import { cacheEntry, sampleKey } from '../../../support/in-process/cache-samples.ts';
import { toTenant } from '../../../support/in-process/sample-exchange.ts';

const key = sampleKey('key');
const entry = cacheEntry('x');
const hit: CacheRead = { kind: 'hit', entry };
const never = <Value>(): Promise<Value> => new Promise(() => {});

const guarded = (
  cache: Partial<ResponseCache>,
  maxBytes = 1000,
): { readonly cache: GuardedCache; readonly clock: VirtualClock; readonly errors: readonly string[] } => {
  const clock = createVirtualClock();
  const whole = { read: async () => hit, write: async () => {}, ...cache };
  const errors: string[] = [];
  const outage = { failed: (error: unknown) => void errors.push(errorText(error)), succeeded: () => {} };
  return { clock, errors, cache: guardCache(whole, { clock, readMs: 100, maxBytes, outage }) };
};

describe('a read', () => {
  it('is a miss after 100 ms and not before', async () => {
    const { cache, clock } = guarded({ read: () => never() });
    let found: CacheRead | undefined;
    const reading = Promise.resolve(cache.read(key)).then((read) => {
      found = read;
    });
    clock.advance(99);
    await new Promise((resolve) => setImmediate(resolve));
    expect(found).toBeUndefined();
    clock.advance(1);
    await reading;
    expect(found).toEqual({ kind: 'miss' });
  });

  it('returns at once if the cache returns at once', () => {
    expect(guarded({ read: () => hit }).cache.read(key)).toBe(hit);
  });

  it.each<[string, () => Promise<CacheRead>]>([
    ['rejects', () => Promise.reject(new Error('no'))],
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
  ])('is a miss if the cache %s', async (_what, read) => {
    expect(await guarded({ read }).cache.read(key)).toEqual({ kind: 'miss' });
  });

  const nonsense: readonly (readonly [what: string, read: object])[] = [
    ['no entry', { kind: 'hit' }],
    ['a text as the body', { kind: 'hit', entry: { ...entry, body: '{}' } }],
    ['bytes that were written as JSON', { kind: 'hit', entry: { ...entry, body: Buffer.from('{}').toJSON() } }],
    ['headers as an object', { kind: 'hit', entry: { ...entry, headers: { 'content-type': 'application/json' } } }],
    ['headers as pairs', { kind: 'hit', entry: { ...entry, headers: [['content-type', 'application/json']] } }],
    ['a header without a value', { kind: 'hit', entry: { ...entry, headers: ['content-type'] } }],
    ['a header value with a line break', { kind: 'hit', entry: { ...entry, headers: ['a', 'b\r\nc: d'] } }],
    ['an entry without a time', { kind: 'hit', entry: { ...entry, storedAt: undefined } }],
    ['a time as a text', { kind: 'hit', entry: { ...entry, storedAt: '2026-01-01' } }],
    ['a text in place of a boolean', { kind: 'hit', entry: { ...entry, isStream: 'false' } }],
  ];

  it.each(nonsense)('is a miss and a failure if the cache returns %s', async (_what, read) => {
    for (const given of [read, Promise.resolve(read)]) {
      const { cache, errors } = guarded({ read: () => given as CacheRead });
      expect(await cache.read(key)).toEqual({ kind: 'miss' });
      expect(errors).toEqual(['It returned something that is not a stored answer.']);
    }
  });

  it('skips a cache that failed three times in a row for a second, then tries it once a second', async () => {
    let calls = 0;
    let isGood = false;
    const { cache, clock } = guarded({
      read: async () => {
        calls += 1;
        if (!isGood) throw new Error('no');
        return hit;
      },
    });
    const readMany = async (): Promise<number> => {
      const before = calls;
      for (let time = 0; time < 10; time += 1) await cache.read(key);
      return calls - before;
    };
    expect(await readMany()).toBe(3);
    clock.advance(999);
    expect(await readMany()).toBe(0);
    clock.advance(1);
    expect(await readMany()).toBe(1);
    isGood = true;
    clock.advance(1000);
    expect(await readMany()).toBe(10);
  });

  it('skips the cache only for the tenant whose calls failed', async () => {
    const { cache } = guarded({
      read: async ({ request: { tenant } }) => {
        if (tenant === 'flood') throw new Error('too large');
        return hit;
      },
    });
    const { request, ...ids } = key;
    const read = (tenant: string) => cache.read({ ...ids, request: { ...request, tenant: toTenant(tenant) } });
    for (let time = 0; time < 9; time += 1) await read('flood');
    expect(await read('calm')).toBe(hit);
  });

  it('counts only consecutive failures', async () => {
    let calls = 0;
    const { cache } = guarded({
      read: async () => {
        calls += 1;
        if (calls % 3 !== 0) throw new Error('no');
        return hit;
      },
    });
    for (let time = 0; time < 30; time += 1) await cache.read(key);
    expect(calls).toBe(30);
  });
});

describe('a write', () => {
  it('that does not end prevents further writes once too many bytes are pending', async () => {
    let writes = 0;
    const { cache } = guarded({
      write: () => {
        writes += 1;
        return never();
      },
    });
    let done = 0;
    for (let time = 0; time < 30; time += 1)
      cache.write(key, cacheEntry(Buffer.alloc(100)), {
        ttlS: 1,
        done: () => {
          done += 1;
        },
      });
    await new Promise((resolve) => setImmediate(resolve));
    expect([writes, done]).toEqual([10, 20]);
  });

  it('of an answer larger than a tenth of the cache is skipped', async () => {
    let writes = 0;
    const { cache } = guarded({
      write: async () => {
        writes += 1;
      },
    });
    for (const bytes of [101, 100]) cache.write(key, cacheEntry(Buffer.alloc(bytes)), { ttlS: 1, done: () => {} });
    expect(writes).toBe(1);
  });

  it.each<[string, () => Promise<void>]>([
    ['rejects', () => Promise.reject(new Error('no'))],
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
  ])('ends and releases its bytes if the cache %s', async (_what, write) => {
    const { cache } = guarded({ write }, 1000);
    for (let time = 0; time < 30; time += 1)
      await new Promise<void>((done) => cache.write(key, cacheEntry(Buffer.alloc(100)), { ttlS: 1, done }));
  });
});

describe('a claim', () => {
  it.each<[string, Partial<ResponseCache>]>([
    ['has no claims', {}],
    ['rejects', { claim: () => Promise.reject(new Error('no')) }],
    ['is slow', { claim: () => never() }],
  ])('becomes the lead if the cache %s', async (_what, given) => {
    const { cache, clock } = guarded(given);
    expect(await clock.settle(cache.claim(key))).toMatchObject({ lead: true });
  });

  it('is for three seconds, for which others wait if its process is killed', async () => {
    const leases: number[] = [];
    const { cache, clock } = guarded({
      claim: async (_key, leaseMs) => {
        leases.push(leaseMs);
        return { lead: true, release: () => {} };
      },
    });
    await clock.settle(cache.claim(key));
    expect(leases).toEqual([3000]);
  });

  it('that arrives too late is released', async () => {
    let claimed: (claim: CacheClaim) => void = () => {};
    let released = 0;
    const { cache, clock } = guarded({
      claim: () =>
        new Promise((resolve) => {
          claimed = resolve;
        }),
    });
    await clock.settle(cache.claim(key));
    claimed({
      lead: true,
      release: () => {
        released += 1;
      },
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(released).toBe(1);
  });

  it('of another request is awaited until the cancellation, even if the cache ignores it', async () => {
    const { cache } = guarded({});
    let cancel = (): void => {};
    const scope = {
      cancelled: false,
      onCancel: (listener: () => void) => {
        cancel = listener;
        return () => {};
      },
    };
    const waiting = cache.awaitEntry({ lead: false, entry: () => never() }, scope);
    cancel();
    expect(await waiting).toBeUndefined();
    const failing = { lead: false, entry: () => Promise.reject(new Error('no')) } as const;
    expect(await cache.awaitEntry(failing, scope)).toBeUndefined();
    const half = { lead: false, entry: async () => ({ ...entry, headers: ['a'] }) } as const;
    expect(await cache.awaitEntry(half, scope)).toBeUndefined();
  });
});
