import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../runtime/memory/system-clock.ts';

describe('the system clock', () => {
  it('calls back once the time has passed', async () => {
    const start = systemClock.monotonic();
    await new Promise<void>((resolve) => systemClock.after(20, resolve));
    // A timer counts whole milliseconds from the last turn of the event loop.
    expect(systemClock.monotonic() - start).toBeGreaterThan(18);
  });

  it('does not call back if the timer was cancelled', async () => {
    let called = false;
    const stop = systemClock.after(0, () => {
      called = true;
    });
    stop();
    await new Promise<void>((resolve) => systemClock.after(2, resolve));
    expect(called).toBe(false);
  });

  it('returns the wall time in milliseconds since the epoch, and a monotonic time that never decreases', () => {
    expect(systemClock.wall()).toBeGreaterThan(Date.UTC(2024, 0, 1));
    const before = systemClock.monotonic();
    expect(systemClock.monotonic()).toBeGreaterThanOrEqual(before);
  });
});
