import type { Clock } from '../../../sdk/clock.ts';
import { within } from '../../../sdk/time/within.ts';
import { StoreError } from './store.ts';

/** How long to wait for one answer of the store, in milliseconds. */
export const longestAnswerMs = 5000;

/**
 * Settles as an answer of the store does, or rejects with a `StoreError` if there is none in time.
 *
 * @param what what the store was asked for, such as `its keys`
 */
export const inTime = <Answer>(clock: Pick<Clock, 'after'>, what: string, answer: Promise<Answer>): Promise<Answer> =>
  within(
    clock,
    longestAnswerMs,
    answer,
    () =>
      new StoreError(
        `The store has not answered within ${longestAnswerMs / 1000} s, when it was asked for ${what}. Find out whether it, its machine or its disk is overloaded.`,
      ),
  );
