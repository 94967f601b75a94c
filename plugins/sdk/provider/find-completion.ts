import type { AnswerEdit } from '../dialect/answer-edit.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { Provider } from './provider.ts';

/** Finds the function that completes the answers of a provider in its own dialect; undefined if it leaves nothing out. */
export const findCompletion = (
  { leavesOut }: Pick<Provider, 'leavesOut'>,
  dialect: Dialect,
): readonly AnswerEdit[] | undefined => {
  const leftOut = leavesOut?.[dialect.id];
  const completion = leftOut === undefined ? undefined : dialect.completion?.(leftOut);
  return completion === undefined ? undefined : [completion];
};
