import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../../plugins/testkit/route/virtual-clock.ts';

describe('createVirtualClock', () => {
  it('runs due timers in order of time, and then in the order in which they were set', () => {
    const clock = createVirtualClock(0);
    const ran: string[] = [];
    const note = (name: string) => () => ran.push(`${name}@${clock.monotonic()}`);
    clock.after(20, note('late'));
    clock.after(10, note('first'));
    clock.after(10, note('second'));
    clock.after(30, note('never'));
    clock.advance(20);
    expect(ran).toEqual(['first@10', 'second@10', 'late@20']);
    expect([clock.wall(), clock.pending]).toEqual([20, 1]);
  });

  it('runs timers set by other timers if they are due', () => {
    const clock = createVirtualClock();
    const at: number[] = [];
    const again = (): void => {
      at.push(clock.monotonic());
      clock.after(4, again);
    };
    clock.after(4, again);
    clock.advance(10);
    expect(at).toEqual([4, 8]);
    expect(clock.monotonic()).toBe(10);
  });

  it('does not run a cancelled timer', () => {
    const clock = createVirtualClock();
    const stopTimer = clock.after(1, () => expect.unreachable());
    stopTimer();
    clock.advance(5);
    expect(clock.pending).toBe(0);
  });

  it('advances exactly as long as a promise takes', async () => {
    const clock = createVirtualClock();
    const wait = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));
    clock.after(10_000, () => expect.unreachable());
    const work = async () => {
      await wait(5);
      await wait(7);
      return 'done';
    };
    expect(await clock.settle(work())).toBe('done');
    expect(clock.monotonic()).toBe(12);
  });

  it('waits for what takes real time, such as a module that is loaded from a slow disk', async () => {
    const clock = createVirtualClock();
    expect(await clock.settle(setTimeout(50, 'loaded'))).toBe('loaded');
    expect(clock.monotonic()).toBe(0);
  });

  it('passes on a rejection, and rejects if the promise can never settle', async () => {
    const clock = createVirtualClock();
    await expect(clock.settle(Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(clock.settle(new Promise(() => {}))).rejects.toThrow('No timer is pending');
  });
});
