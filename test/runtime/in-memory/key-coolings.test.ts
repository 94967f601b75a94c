import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { toPoolKey } from '../../../runtime/engine/target/state-key.ts';
import { KeyCoolings, type KeyPool } from '../../../runtime/in-memory/key-coolings.ts';
import { toTenant } from '../../support/in-process/sample-exchange.ts';

const poolOf = (tenant: string, name: string): KeyPool => ({
  tenant: toTenant(tenant),
  key: toPoolKey(toTenant(tenant), name),
});
const pool = poolOf('tenant', 'pool');
const refused = { failure: 'refused', askedMs: undefined } as const;
const limited = (askedMs: number) => ({ failure: 'limited', askedMs }) as const;

describe('KeyCoolings', () => {
  it('keeps the keys of a pool that failed most recently, and no more than a hundred', () => {
    const coolings = new KeyCoolings(createVirtualClock(0));
    for (let at = 0; at < 1000; at += 1) coolings.failed(pool, `key-${at}`, refused);
    expect(coolings.of(pool)?.size).toBe(100);
    expect(coolings.of(pool)?.has('key-999')).toBe(true);
  });

  it('forgets a key that works, and a pool in which all keys do', () => {
    const clock = createVirtualClock(0);
    const coolings = new KeyCoolings(clock);
    coolings.failed(pool, 'a', refused);
    clock.advance(10);
    coolings.works(pool, 'a', clock.monotonic());
    expect(coolings.of(pool)).toBeUndefined();
  });

  it('ignores the success of a request that was sent before the key failed', () => {
    const clock = createVirtualClock(0);
    const coolings = new KeyCoolings(clock);
    const sentAt = clock.monotonic();
    clock.advance(10);
    coolings.failed(pool, 'a', refused);
    coolings.works(pool, 'a', sentAt);
    expect(coolings.of(pool)?.get('a')).toBeDefined();
  });

  it('counts simultaneous failures once, and leaves a key out until the latest of their times', () => {
    const clock = createVirtualClock(0);
    const coolings = new KeyCoolings(clock);
    const until = (): number => (coolings.of(pool)?.get('a')?.until ?? 0) - clock.monotonic();
    for (let at = 0; at < 5; at += 1) coolings.failed(pool, 'a', refused);
    expect(until()).toBe(60_000);
    coolings.failed(pool, 'a', limited(90_000));
    expect(until()).toBe(90_000);
    coolings.failed(pool, 'a', limited(1));
    expect(until()).toBe(90_000);
  });

  it('does not forget a pool of one tenant in favour of another tenant that has more', () => {
    const coolings = new KeyCoolings(createVirtualClock(0), { max: 10 });
    coolings.failed(pool, 'a', refused);
    for (let at = 0; at < 100; at += 1) coolings.failed(poolOf('other', `pool-${at}`), 'a', refused);
    expect(coolings.of(pool)?.has('a')).toBe(true);
    const kept = Array.from({ length: 100 }, (_, at) => coolings.of(poolOf('other', `pool-${at}`)));
    expect(kept.map((keys) => keys !== undefined)).toEqual(kept.map((_, at) => at >= 91));
  });
});
