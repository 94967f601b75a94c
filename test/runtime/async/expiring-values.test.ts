import { describe, expect, it } from 'vitest';
import { createExpiringValues, type Expiring, type Maker } from '../../../runtime/async/expiring-values.ts';

interface Caller {
  readonly made: { resolve(value: Expiring<string>): void; reject(reason: Error): void };
  readonly calls: () => number;
  readonly maker: Maker<string>;
  leave(): void;
}

const caller = (now = 0): Caller => {
  const { promise, resolve, reject } = Promise.withResolvers<Expiring<string>>();
  let calls = 0;
  let isCancelled = false;
  return {
    made: { resolve, reject },
    calls: () => calls,
    maker: {
      now: () => now,
      isCancelled: () => isCancelled,
      make: () => {
        calls += 1;
        return promise;
      },
    },
    leave: () => {
      isCancelled = true;
    },
  };
};

const making = (value: string, { now = 0, expiresAt = 1000 } = {}): Maker<string> => ({
  now: () => now,
  isCancelled: () => false,
  make: async () => ({ value, expiresAt }),
});

describe('values that expire', () => {
  it('are created once for all callers that wait for them', async () => {
    const values = createExpiringValues();
    const [first, second] = [caller(), caller()];
    const both = Promise.all([values.get('k', first.maker), values.get('k', second.maker)]);
    await Promise.resolve();
    first.made.resolve({ value: 'a', expiresAt: 1000 });
    expect(await both).toEqual(['a', 'a']);
    expect([first.calls(), second.calls()]).toEqual([1, 0]);
  });

  it('are used until a tenth of their lifetime is left, or at most a minute', async () => {
    const values = createExpiringValues();
    await values.get('k', making('a'));
    expect(await values.get('k', making('b', { now: 899 }))).toBe('a');
    expect(await values.get('k', making('c', { now: 900, expiresAt: 3_600_000 }))).toBe('c');
    expect(await values.get('k', making('d', { now: 3_539_999 }))).toBe('c');
    expect(await values.get('k', making('e', { now: 3_540_000 }))).toBe('e');
  });

  it('are replaced if the clock was set back, and used meanwhile', async () => {
    const values = createExpiringValues();
    await values.get('k', making('a', { now: 5000, expiresAt: 6000 }));
    expect(await values.get('k', making('b', { now: 2000, expiresAt: 3000 }))).toBe('b');
    expect(await values.get('k', making('c', { now: 2001 }))).toBe('b');
    const failing = { now: () => 1000, isCancelled: () => false, make: () => Promise.reject(new Error('away')) };
    expect(await values.get('k', failing)).toBe('b');
  });

  it('are used once if their expiry is not a number', async () => {
    const values = createExpiringValues();
    expect(await values.get('k', making('a', { expiresAt: Number.NaN }))).toBe('a');
    expect(await values.get('k', making('b'))).toBe('b');
    expect(await values.get('k', making('c'))).toBe('b');
  });

  it('are not shared between keys', async () => {
    const values = createExpiringValues();
    expect(await values.get('one', making('a'))).toBe('a');
    expect(await values.get('two', making('b'))).toBe('b');
  });

  it('that could not be created fail for all who waited, and are created again for the next caller', async () => {
    const values = createExpiringValues();
    const [first, second] = [caller(), caller()];
    const both = Promise.allSettled([values.get('k', first.maker), values.get('k', second.maker)]);
    await Promise.resolve();
    first.made.reject(new Error('no'));
    expect(await both).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    expect(second.calls()).toBe(0);
    expect(await values.get('k', making('b'))).toBe('b');
  });

  it('are used by others while one caller replaces them', async () => {
    const values = createExpiringValues();
    await values.get('k', making('a'));
    const slow = caller(950);
    const renewed = values.get('k', slow.maker);
    expect(await values.get('k', making('b', { now: 960 }))).toBe('a');
    const late = values.get('k', making('c', { now: 1000 }));
    slow.made.resolve({ value: 'd', expiresAt: 2000 });
    expect(await Promise.all([renewed, late])).toEqual(['d', 'd']);
    expect(await values.get('k', making('e', { now: 1100 }))).toBe('d');
  });

  it('that cannot be replaced are used until they expire, and replacing them is retried before', async () => {
    const values = createExpiringValues();
    const failing = (now: number): Maker<string> => ({
      ...{ now: () => now, isCancelled: () => false },
      make: () => Promise.reject(new Error(`no at ${now}`)),
    });
    await values.get('k', making('a'));
    expect(await values.get('k', failing(900))).toBe('a');
    // Replacing is not retried before half of the remaining time.
    expect(await values.get('k', making('b', { now: 949 }))).toBe('a');
    expect(await values.get('k', failing(950))).toBe('a');
    expect(await values.get('k', making('c', { now: 975, expiresAt: 5000 }))).toBe('c');
    await expect(values.get('k', failing(5000))).rejects.toThrow('no at 5000');
    expect(await values.get('k', making('d', { now: 5000, expiresAt: 6000 }))).toBe('d');
  });

  it('that expired while replacing them failed are not used', async () => {
    const values = createExpiringValues();
    await values.get('k', making('a'));
    let now = 950;
    const { promise, reject } = Promise.withResolvers<never>();
    const replaced = values.get('k', { now: () => now, isCancelled: () => false, make: () => promise });
    now = 1000;
    const late = values.get('k', making('b', { now }));
    reject(new Error('no'));
    expect(await Promise.allSettled([replaced, late])).toMatchObject([
      { status: 'rejected', reason: { message: 'no' } },
      { status: 'rejected', reason: { message: 'no' } },
    ]);
    expect(await values.get('k', making('c', { now }))).toBe('c');
  });

  it('whose maker fails because it disconnected are created by one of those who wait', async () => {
    const values = createExpiringValues();
    const [first, second, third] = [caller(), caller(), caller()];
    const left = values.get('k', first.maker);
    const others = Promise.all([values.get('k', second.maker), values.get('k', third.maker)]);
    await Promise.resolve();
    first.leave();
    first.made.reject(new Error('cancelled'));
    await expect(left).rejects.toThrow('cancelled');
    second.made.resolve({ value: 'b', expiresAt: 1000 });
    expect(await others).toEqual(['b', 'b']);
    expect([second.calls(), third.calls()]).toEqual([1, 0]);
  });

  it('are not created by a caller that has disconnected as well', async () => {
    const values = createExpiringValues();
    const [first, second] = [caller(), caller()];
    const both = Promise.allSettled([values.get('k', first.maker), values.get('k', second.maker)]);
    await Promise.resolve();
    first.leave();
    second.leave();
    first.made.reject(new Error('cancelled'));
    expect(await both).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    expect(second.calls()).toBe(0);
  });

  it('whose maker throws at once are rejected', async () => {
    const make = (): never => {
      throw new Error('at once');
    };
    const values = createExpiringValues();
    await expect(values.get('k', { now: () => 0, isCancelled: () => false, make })).rejects.toThrow('at once');
    expect(await values.get('k', making('b'))).toBe('b');
  });
});
