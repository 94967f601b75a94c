import type { Timers } from '../../../sdk/http/in-process.ts';
import { startTimer } from '../../../sdk/time/start-timer.ts';

/**
 * The machine's time. What waits for another process does not wait by a clock that can be replayed. Its timers alone keep
 * this one running: processes of plugins do not.
 */
export const systemTimers: Timers = {
  wall: () => Date.now(),
  after(ms, run) {
    const timer = startTimer(ms, run);
    return () => clearTimeout(timer);
  },
};
