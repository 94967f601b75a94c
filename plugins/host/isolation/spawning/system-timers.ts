import type { Clock } from '../../../sdk/clock.ts';
import { startTimer } from '../../../sdk/time/start-timer.ts';

/**
 * The machine's time. Waiting for another process cannot use a clock that is replayed. These timers keep the gateway's process
 * running, because the processes of plugins do not.
 */
export const systemTimers: Clock = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  after(ms, run) {
    const timer = startTimer(ms, run);
    return () => clearTimeout(timer);
  },
};
