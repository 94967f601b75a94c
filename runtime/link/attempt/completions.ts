import type { AnswerEdit } from '../../../plugins/sdk/answer-edit.ts';
import type { Dialect } from '../../../plugins/sdk/dialect.ts';
import type { Provider } from '../../../plugins/sdk/provider.ts';

/** What completes the answers of a provider in its own dialect; undefined if it leaves nothing out. */
export const completions = ({ leavesOut }: Provider, dialect: Dialect): readonly AnswerEdit[] | undefined => {
  const leftOut = leavesOut?.[dialect.id];
  const completion = leftOut === undefined ? undefined : dialect.completion?.(leftOut);
  return completion === undefined ? undefined : [completion];
};
