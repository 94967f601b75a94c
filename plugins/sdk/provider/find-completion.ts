import type { AnswerEdit } from '../dialect/answer-edit.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { Provider } from './provider.ts';

/**
 * Returns the edits that complete a provider's answers in its own dialect, or undefined if it leaves nothing out. Only strict
 * clients receive a finish reason of the dialect instead of the provider's own.
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
