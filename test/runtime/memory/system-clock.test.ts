import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../runtime/memory/system-clock.ts';

describe('the system clock', () => {
  it('calls back after the time, in the order of the times', async () => {
    const order: string[] = [];
    await new Promise<void>((resolve) => {
      systemClock.after(5, () => {
        order.push('later');
        resolve();
      });
      systemClock.after(1, () => order.push('sooner'));
    });
    expect(order).toEqual(['sooner', 'later']);
  });

  it('does not call back what was cancelled', async () => {
    let called = false;
    const stop = systemClock.after(0, () => {
      called = true;
    });
    stop();
    await new Promise<void>((resolve) => systemClock.after(2, resolve));
    expect(called).toBe(false);
  });

  it('tells the wall time in milliseconds since the epoch, and a monotonic time that does not go back', () => {
    expect(systemClock.wall()).toBeGreaterThan(Date.UTC(2024, 0, 1));
    const before = systemClock.monotonic();
    expect(systemClock.monotonic()).toBeGreaterThanOrEqual(before);
  });
});
