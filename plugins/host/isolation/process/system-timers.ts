import type { Clock } from '../../../sdk/clock.ts';
import { startTimer } from '../../../sdk/time/start-timer.ts';

/**
 * The machine's time. What waits for another process does not wait by a clock that can be replayed. Its timers alone keep
 * this one running: processes of plugins do not.
 */
export const systemTimers: Clock = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  after(ms, run) {
    const timer = startTimer(ms, run);
    return () => clearTimeout(timer);
  },
};
