import { startTimer } from '../../plugins/sdk/time/start-timer.ts';
import type { Clock } from '../ports/clock.ts';

/** The machine's time. */
export const systemClock: Clock = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  after(ms, run) {
    const timer = startTimer(ms, run);
    return () => clearTimeout(timer);
  },
  afterUnref(ms, run) {
    const timer = startTimer(ms, run).unref();
    return () => clearTimeout(timer);
  },
};
