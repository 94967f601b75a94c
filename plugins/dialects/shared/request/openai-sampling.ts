import type { Conversation, Sampling } from '../../../../schema/conversation/conversation.ts';
import { defined } from '../json/defined.ts';
import { type Lost, recordLosses } from './lost.ts';

/** OpenAI's models that always reason, by their names at any service. */
const reasoningModel = /(?:^|\/)(?:o[134](?:-|$)|gpt-5(?:-(?!chat)|$))/;

/** OpenAI's models since GPT-5.1, which reason if an effort is requested. */
const eitherModel = /(?:^|\/)gpt-(?:5\.\d|[6-9])(?!.*-chat)/;

const isReasoning = ({ model = '', reasoning }: Conversation): boolean => {
  if (reasoningModel.test(model)) return true;
  return eitherModel.test(model) && reasoning?.kind === 'effort' && reasoning.effort !== 'none';
};

const refused = ['topP', 'presencePenalty', 'frequencyPenalty', 'stop'] as const;

const fitSampling = (sampling: Sampling, lost: Lost): Sampling => {
  const isHot = sampling.temperature !== undefined && sampling.temperature !== 1;
  if (isHot) lost.push('sampling.temperature');
  recordLosses(sampling, refused, { path: 'sampling', lost });
  const { topP: _topP, presencePenalty: _presence, frequencyPenalty: _frequency, stop: _stop, ...kept } = sampling;
  return defined({ ...kept, temperature: isHot ? undefined : sampling.temperature });
};

/**
 * Returns a conversation that OpenAI's models accept while they reason. They answer 400 to sampling settings and to a request for
 * log probabilities: https://platform.openai.com/docs/guides/latest-model
 */
export const withOpenaiSampling = (conversation: Conversation, lost: Lost): Conversation => {
  if (!isReasoning(conversation)) return conversation;
  const { logprobs, sampling, ...rest } = conversation;
  if (logprobs !== undefined) lost.push('logprobs');
  return { ...rest, sampling: fitSampling(sampling, lost) };
};
