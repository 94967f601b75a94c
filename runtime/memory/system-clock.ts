import type { Clock } from '../ports/clock.ts';

/** A longer timer would fire at once. */
const longestMs = 2 ** 31 - 1;

/** The machine's time. */
export const systemClock: Clock = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(ms, longestMs));
    return () => clearTimeout(timer);
  },
  afterUnref(ms, run) {
    const timer = setTimeout(run, Math.min(ms, longestMs)).unref();
    return () => clearTimeout(timer);
  },
};
