import type { AnswerEdit } from '../dialect/answer-edit.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { Provider } from './provider.ts';

/**
 * Finds the function that completes the answers of a provider in its own dialect; undefined if it leaves nothing out. Only strict
 * clients get a finish reason of the dialect in place of the provider's own.
 */
export const findCompletion = (
  { leavesOut }: Pick<Provider, 'leavesOut'>,
  dialect: Dialect,
  strict: boolean,
): readonly AnswerEdit[] | undefined => {
  const leftOut = leavesOut?.[dialect.id];
  if (leftOut === undefined) return undefined;
  const added = strict ? leftOut : leftOut.filter((each) => each !== 'finish-reason');
  const completion = added.length === 0 ? undefined : dialect.completion?.(added);
  return completion === undefined ? undefined : [completion];
};
