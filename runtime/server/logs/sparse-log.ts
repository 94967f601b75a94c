import type { Clock } from '../../ports/clock.ts';

/** The minimum number of milliseconds between two lines. */
const everyMs = 60_000;

/** Creates a log for events that clients can cause as often as they like: it writes the first line of each minute. */
export const sparseLog = (clock: Pick<Clock, 'monotonic'>, log: (text: string) => void): ((text: string) => void) => {
  let silentUntil = Number.NEGATIVE_INFINITY;
  return (text) => {
    const now = clock.monotonic();
    if (now < silentUntil) return;
    silentUntil = now + everyMs;
    log(text);
  };
};
