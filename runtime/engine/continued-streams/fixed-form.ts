import type { Conversation } from '../../../schema/conversation/conversation.ts';
import type { WhyNotContinued } from '../../../schema/trail/trail.ts';

/** Why an answer is not a single text of any form. */
export type FixedForm = Extract<WhyNotContinued, 'several-answers' | 'schema'>;

/** Returns why the answer to a request cannot be written in two parts by different targets. Undefined if it can. */
export const fixedForm = ({
  sampling: { count = 1 },
  answerFormat,
}: Pick<Conversation, 'sampling' | 'answerFormat'>): FixedForm | undefined => {
  if (count > 1) return 'several-answers';
  return answerFormat !== undefined && answerFormat.kind !== 'text' ? 'schema' : undefined;
};
