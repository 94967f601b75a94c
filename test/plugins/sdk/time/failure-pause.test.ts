import { describe, expect, it } from 'vitest';
import { FailurePause } from '../../../../plugins/sdk/time/failure-pause.ts';

/** A pause of 10 ms after two failures, and the clock that it reads. */
const paused = () => {
  const time = { now: 1000 };
  const pause = new FailurePause({ failures: 2, pauseMs: 10, now: () => time.now });
  pause.failed();
  pause.failed();
  return { time, pause };
};

describe('a pause after failures', () => {
  it('lets one call through each time it has elapsed', () => {
    const { time, pause } = paused();
    expect(pause.enter()).toBe(false);
    time.now = 1009;
    expect(pause.enter()).toBe(false);
    time.now = 1010;
    expect([pause.enter(), pause.enter()]).toEqual([true, false]);
  });

  it('ends if the clock is set back, and keeps its length after that', () => {
    const { time, pause } = paused();
    time.now = 10;
    expect([pause.enter(), pause.enter()]).toEqual([true, false]);
    time.now = 20;
    expect(pause.enter()).toBe(true);
  });
});
