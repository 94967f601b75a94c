import { startTimer } from '../../plugins/sdk/time/start-timer.ts';
import type { Clock } from '../ports/clock.ts';

/**
 * Calls `run` after some milliseconds, once the event loop has read what has arrived by then: if this thread was busy for as long,
 * an answer that came in time is still unread. Returns a function that cancels it.
 */
const startAfter = (ms: number, run: () => void, keepsRunning: boolean): (() => void) => {
  let immediate: NodeJS.Immediate | undefined;
  const timer = startTimer(ms, () => {
    immediate = setImmediate(run);
    if (!keepsRunning) immediate.unref();
  });
  if (!keepsRunning) timer.unref();
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
};

/** The machine's time. */
export const systemClock: Clock = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  after: (ms, run) => startAfter(ms, run, true),
  afterUnref: (ms, run) => startAfter(ms, run, false),
};
