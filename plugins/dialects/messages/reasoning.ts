import type { Conversation } from '../../../schema/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { claudeThinking } from '../wire/claude-thinking.ts';
import { defined } from '../wire/defined.ts';
import type { EncodeContext } from '../wire/encode-context.ts';

/** `max_tokens` is required; this is the value for requests without it. */
const defaultMaxTokens = 4096;

export interface EncodedReasoning {
  readonly thinking?: JsonObject;
  readonly effort?: string;
  /** The `max_tokens` that leaves room for an answer, if the request has none. */
  readonly maxTokens: number;
}

/** `thinking`, `output_config.effort` and the `max_tokens` that go with them. */
export const encodeReasoning = (conversation: Conversation, context: EncodeContext): EncodedReasoning => {
  const limit = conversation.sampling.maxTokens;
  if (limit === undefined) context.lost.push('sampling.maxTokens');
  const { thinking, effort, budget } = claudeThinking(conversation, context);
  return defined({ thinking, effort, maxTokens: limit ?? defaultMaxTokens + (budget ?? 0) });
};
