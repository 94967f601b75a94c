import { setTimeout } from 'node:timers/promises';
import { StoreError } from '../store.ts';
import { findSqlState } from './pg-error.ts';

/** serialization_failure and deadlock_detected: another transaction got in the way, though writes take turns, and the same one may succeed next time. */
const inTheWay: readonly (string | undefined)[] = ['40001', '40P01'];

/** The longest of the random pauses before each further try, in milliseconds. */
const pauses: readonly number[] = [10, 30, 90, 270, 810];

/**
 * Runs a transaction, and again where others got in its way, at most five times.
 *
 * @throws StoreError if they still do
 */
export const retried = async <Result>(where: string, run: () => Promise<Result>): Promise<Result> => {
  for (const pause of pauses) {
    try {
      return await run();
    } catch (error) {
      if (!inTheWay.includes(findSqlState(error))) throw error;
    }
    await setTimeout(Math.random() * pause);
  }
  try {
    return await run();
  } catch (error) {
    if (!inTheWay.includes(findSqlState(error))) throw error;
    throw new StoreError(`Too many processes write the same of the store ${where} at once. Try again.`, {
      cause: error,
    });
  }
};
