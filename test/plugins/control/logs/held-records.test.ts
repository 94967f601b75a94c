import { describe, expect, it } from 'vitest';
import { HeldRecords } from '../../../../plugins/control/logs/held-records.ts';
import { createVirtualClock } from '../../../../plugins/testkit/route/virtual-clock.ts';

const world = () => {
  const clock = createVirtualClock();
  const written: string[] = [];
  const held = new HeldRecords(clock);
  const hold = (name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    held.hold(promise, () => written.push(name));
    return { resolve, reject };
  };
  return { clock, written, held, hold };
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the record of a request whose checks still run', () => {
  it('is written once when the checks have ended, even if one fails', async () => {
    const { written, held, hold } = world();
    const [first, second] = [hold('first'), hold('second')];
    await turn();
    expect([written, [...held.pendingChecks()].length]).toEqual([[], 2]);
    second.reject(new Error('The check is broken.'));
    await turn();
    expect(written).toEqual(['second']);
    first.resolve();
    await turn();
    held.release();
    expect(written).toEqual(['second', 'first']);
  });

  it('is held for at most half a minute', async () => {
    const { clock, written, hold } = world();
    const slow = hold('slow');
    const passed = async (ms: number): Promise<readonly string[]> => {
      const over = new Promise<void>((resolve) => clock.after(ms, resolve));
      await clock.settle(over);
      return [...written];
    };
    expect([await passed(29_999), await passed(1)]).toEqual([[], ['slow']]);
    slow.resolve();
    await turn();
    expect(written).toEqual(['slow']);
  });

  it('is written immediately if all held records are released', async () => {
    const { written, held, hold } = world();
    hold('held');
    held.release();
    expect(written).toEqual(['held']);
  });
});
