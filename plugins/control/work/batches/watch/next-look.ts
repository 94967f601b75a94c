import { hourMs } from '../../../../../schema/durations.ts';

const firstMs = 2000;
const growth = 1.5;
const longestMs = 300_000;

/** How long it is until a batch is asked for again that was asked for so many times: seconds at first, minutes later. */
export const pauseAfter = (looks: number): number =>
  Math.min(longestMs, Math.round(firstMs * growth ** Math.min(looks, 30)));

/** Beyond the provider's window of 24 hours: for so long a batch is asked for that nobody can ask for any more. */
const lostMs = 48 * hourMs;

/** Providers keep results for about a month: https://docs.claude.com/en/docs/build-with-claude/batch-processing */
const longestRunMs = 30 * 24 * hourMs;

/** Whether a batch is not waited for any more, so long after it was made. `isLost`: it could not be asked for just now. */
export const isGivenUp = (ageMs: number, isLost: boolean): boolean => ageMs > (isLost ? lostMs : longestRunMs);
