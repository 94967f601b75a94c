import type { Clock } from '../../../sdk/clock.ts';
import { within } from '../../../sdk/time/within.ts';
import type { Sealer } from './sealer.ts';
import { UnknownMasterError } from './secret-error.ts';

/** As long as one answer of the store is waited for, in milliseconds. */
const longestAnswerMs = 1000;

const rotated =
  'The master key of the store was rotated to one that this process does not have: it opens the secrets that it has opened before, and no others. Start the gateway again with the new master key.';

/**
 * Tells, each time it is asked, why the process must be started again for its master key: one sentence, or none. While the
 * store does not answer it tells what it told before.
 */
export const watchMaster = (
  { prove }: Pick<Sealer, 'prove'>,
  clock: Pick<Clock, 'after'>,
): (() => Promise<readonly string[]>) => {
  let warned: readonly string[] = [];
  return async () => {
    try {
      await within(clock, longestAnswerMs, prove());
      warned = [];
    } catch (error) {
      if (error instanceof UnknownMasterError) warned = [rotated];
    }
    return warned;
  };
};
