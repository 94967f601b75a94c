import type { Conversation } from '../../../../schema/conversation/conversation.ts';

/** The value of `include` that asks for reasoning which can be sent back: nothing is stored, so only then it can be. */
const encryptedReasoning = 'reasoning.encrypted_content';

/** The value of `include` that asks for the log probabilities of the answer's tokens. */
export const logprobsOfText = 'message.output_text.logprobs';

/** Models that reason without being asked to; others may reject `reasoning.encrypted_content`. */
const reasoningModel = /(?:^|\/)(?:o[134]|gpt-[5-9](?!.*-chat)|codex)/;

const reasons = ({ model, reasoning }: Pick<Conversation, 'model' | 'reasoning'>): boolean => {
  if (reasoning?.kind === 'effort') return reasoning.effort !== 'none';
  return reasoningModel.test(model ?? '');
};

/** Lists what a request asks to include of its own accord. */
export const ownIncludes = (
  conversation: Pick<Conversation, 'model' | 'reasoning' | 'logprobs'>,
): readonly string[] => [
  ...(conversation.logprobs === undefined ? [] : [logprobsOfText]),
  ...(reasons(conversation) ? [encryptedReasoning] : []),
];
