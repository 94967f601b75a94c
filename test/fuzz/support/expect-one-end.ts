import type { AnswerEvent } from '../../../schema/conversation/answer.ts';

/** Throws if a decoder returned more than one end, or anything after an end or an error. */
export const expectOneEnd = (events: readonly AnswerEvent[]): void => {
  const at = events.findIndex(({ kind }) => kind === 'end' || kind === 'error');
  if (at === -1) throw new Error('A decoder reported no end.');
  if (at < events.length - 1)
    throw new Error(`A decoder reported ${events[at]?.kind}, and after it ${events[at + 1]?.kind}.`);
};
