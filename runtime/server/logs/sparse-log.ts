import type { Clock } from '../../ports/clock.ts';

/** Milliseconds between two lines. */
const everyMs = 60_000;

/** Makes a log for what clients can cause as often as they like: it takes the first line within a minute. */
export const sparseLog = (clock: Pick<Clock, 'monotonic'>, log: (text: string) => void): ((text: string) => void) => {
  let silentUntil = Number.NEGATIVE_INFINITY;
  return (text) => {
    const now = clock.monotonic();
    if (now < silentUntil) return;
    silentUntil = now + everyMs;
    log(text);
  };
};
