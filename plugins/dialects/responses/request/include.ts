import type { Conversation } from '../../../../schema/conversation/conversation.ts';

/**
 * The value of `include` that requests reasoning in a form that can be sent back. Nothing is stored, so there is no other way.
 */
const encryptedReasoning = 'reasoning.encrypted_content';

/** The value of `include` that requests the log probabilities of the answer's tokens. */
export const logprobsOfText = 'message.output_text.logprobs';

/** Models that reason by default. Others may reject `reasoning.encrypted_content`. */
const reasoningModel = /(?:^|\/)(?:o[134]|gpt-[5-9](?!.*-chat)|codex)/;

const reasons = ({ model, reasoning }: Pick<Conversation, 'model' | 'reasoning'>): boolean => {
  if (reasoning?.kind === 'effort') return reasoning.effort !== 'none';
  return reasoningModel.test(model ?? '');
};

/** Lists the values of `include` that follow from a conversation's other settings. */
export const ownIncludes = (
  conversation: Pick<Conversation, 'model' | 'reasoning' | 'logprobs'>,
): readonly string[] => [
  ...(conversation.logprobs === undefined ? [] : [logprobsOfText]),
  ...(reasons(conversation) ? [encryptedReasoning] : []),
];
