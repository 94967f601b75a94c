import { describe, expect, it } from 'vitest';
import { FailurePause } from '../../../../plugins/sdk/time/failure-pause.ts';

/** A pause of ten milliseconds after two failures, and the time that it reads. */
const paused = () => {
  const time = { now: 1000 };
  const pause = new FailurePause({ failures: 2, pauseMs: 10, now: () => time.now });
  pause.failed();
  pause.failed();
  return { time, pause };
};

describe('a pause after failures', () => {
  it('lets one call be made each time that it has passed', () => {
    const { time, pause } = paused();
    expect(pause.enter()).toBe(false);
    time.now = 1009;
    expect(pause.enter()).toBe(false);
    time.now = 1010;
    expect([pause.enter(), pause.enter()]).toEqual([true, false]);
  });

  it('is over where the time of day is set back, and as long as ever after that', () => {
    const { time, pause } = paused();
    time.now = 10;
    expect([pause.enter(), pause.enter()]).toEqual([true, false]);
    time.now = 20;
    expect(pause.enter()).toBe(true);
  });
});
