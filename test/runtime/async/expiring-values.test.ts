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
      now,
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
  now,
  isCancelled: () => false,
  make: async () => ({ value, expiresAt }),
});

describe('values that expire', () => {
  it('are made once for all who wait for them', async () => {
    const values = createExpiringValues();
    const [first, second] = [caller(), caller()];
    const both = Promise.all([values.get('k', first.maker), values.get('k', second.maker)]);
    await Promise.resolve();
    first.made.resolve({ value: 'a', expiresAt: 1000 });
    expect(await both).toEqual(['a', 'a']);
    expect([first.calls(), second.calls()]).toEqual([1, 0]);
  });

  it('are used until a tenth of their life is left, at most a minute', async () => {
    const values = createExpiringValues();
    await values.get('k', making('a'));
    expect(await values.get('k', making('b', { now: 899 }))).toBe('a');
    expect(await values.get('k', making('c', { now: 900, expiresAt: 3_600_000 }))).toBe('c');
    expect(await values.get('k', making('d', { now: 3_539_999 }))).toBe('c');
    expect(await values.get('k', making('e', { now: 3_540_000 }))).toBe('e');
  });

  it('are used once where their end is no number', async () => {
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

  it('that could not be made fail all who waited, and are made anew for the next', async () => {
    const values = createExpiringValues();
    const [first, second] = [caller(), caller()];
    const both = Promise.allSettled([values.get('k', first.maker), values.get('k', second.maker)]);
    await Promise.resolve();
    first.made.reject(new Error('no'));
    expect(await both).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    expect(second.calls()).toBe(0);
    expect(await values.get('k', making('b'))).toBe('b');
  });

  it('that fail because their maker left are made by one of those who wait', async () => {
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

  it('are not made by one who has left as well', async () => {
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

  it('whose maker throws at once are a rejection', async () => {
    const make = (): never => {
      throw new Error('at once');
    };
    const values = createExpiringValues();
    await expect(values.get('k', { now: 0, isCancelled: () => false, make })).rejects.toThrow('at once');
    expect(await values.get('k', making('b'))).toBe('b');
  });
});
