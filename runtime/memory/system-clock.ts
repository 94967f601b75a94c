import type { Clock } from '../ports/clock.ts';

/** A timer that is set for longer rings at once. */
const longestMs = 2 ** 31 - 1;

/** The machine's time. */
export const systemClock: Clock = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(ms, longestMs));
    return () => clearTimeout(timer);
  },
};
