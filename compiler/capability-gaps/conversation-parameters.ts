import type { AnswerFormat, Conversation } from '../../schema/conversation/conversation.ts';
import { isJsonObject, type Json } from '../../schema/json/json.ts';

/** A parameter of configs, and how it appears in a conversation. */
export interface ConversationParameter {
  /** The member of the conversation, named as in the losses of dialects. */
  readonly member: string;
  /** Returns what a value requests; undefined if it requests nothing beyond the default, or has no meaning. */
  of(value: Json): Partial<Conversation> | undefined;
}

type Asked = Partial<Conversation>;

const number =
  (ask: (value: number) => Asked, defaultCount?: number): ConversationParameter['of'] =>
  (value) =>
    typeof value === 'number' && value !== defaultCount ? ask(value) : undefined;

const text =
  (ask: (value: string) => Asked, defaultCount: readonly string[] = []): ConversationParameter['of'] =>
  (value) =>
    typeof value === 'string' && !defaultCount.includes(value) ? ask(value) : undefined;

const texts = (value: Json): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string');

const findFormat = (value: Json): AnswerFormat | undefined => {
  if (!isJsonObject(value)) return undefined;
  if (value.type === 'json_object') return { kind: 'json' };
  const { json_schema: wire } = value;
  return isJsonObject(wire) && isJsonObject(wire.schema) ? { kind: 'schema', schema: wire.schema } : undefined;
};

const maxTokens: ConversationParameter = {
  member: 'sampling.maxTokens',
  of: number((limit) => ({ sampling: { maxTokens: limit } })),
};

/**
 * The parameters that can be tested in every dialect with conversations, by their names in configs. `user` is not included,
 * because embeddings have it too. Tools are not included, because they depend on more than one parameter.
 */
export const conversationParameters: { readonly [name: string]: ConversationParameter } = {
  temperature: { member: 'sampling.temperature', of: number((temperature) => ({ sampling: { temperature } })) },
  top_p: { member: 'sampling.topP', of: number((topP) => ({ sampling: { topP } })) },
  top_k: { member: 'sampling.topK', of: number((topK) => ({ sampling: { topK } })) },
  max_tokens: maxTokens,
  max_completion_tokens: maxTokens,
  n: { member: 'sampling.count', of: number((count) => ({ sampling: { count } }), 1) },
  seed: { member: 'sampling.seed', of: number((seed) => ({ sampling: { seed } })) },
  presence_penalty: {
    member: 'sampling.presencePenalty',
    of: number((presencePenalty) => ({ sampling: { presencePenalty } }), 0),
  },
  frequency_penalty: {
    member: 'sampling.frequencyPenalty',
    of: number((frequencyPenalty) => ({ sampling: { frequencyPenalty } }), 0),
  },
  stop: {
    member: 'sampling.stop',
    of: (value) => (texts(value).length === 0 ? undefined : { sampling: { stop: texts(value) } }),
  },
  logprobs: { member: 'logprobs', of: (value) => (value === true ? { logprobs: {} } : undefined) },
  top_logprobs: { member: 'logprobs', of: number((top) => ({ logprobs: { top } }), 0) },
  logit_bias: {
    member: 'extensions.chat.logit_bias',
    of: (value) => (isJsonObject(value) ? { extensions: { chat: { logit_bias: value } } } : undefined),
  },
  response_format: {
    member: 'answerFormat',
    of: (value) => {
      const answerFormat = findFormat(value);
      return answerFormat === undefined ? undefined : { answerFormat };
    },
  },
  reasoning_effort: { member: 'reasoning', of: text((effort) => ({ reasoning: { kind: 'effort', effort } })) },
  verbosity: { member: 'verbosity', of: text((verbosity) => ({ verbosity }), ['medium']) },
  modalities: {
    member: 'modalities',
    of: (value) => (texts(value).some((each) => each !== 'text') ? { modalities: texts(value) } : undefined),
  },
  prompt_cache_key: { member: 'cacheKey', of: text((cacheKey) => ({ cacheKey })) },
  service_tier: { member: 'serviceTier', of: text((serviceTier) => ({ serviceTier }), ['auto', 'default']) },
  parallel_tool_calls: {
    member: 'toolChoice.parallel',
    of: (value) => (value === false ? { toolChoice: { mode: 'auto', parallel: false } } : undefined),
  },
};
