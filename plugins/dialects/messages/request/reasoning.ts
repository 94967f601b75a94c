import type { Conversation } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { claudeOutput } from '../../shared/claude/claude-output.ts';
import { claudeThinking } from '../../shared/claude/claude-thinking.ts';
import { defined } from '../../shared/json/defined.ts';
import type { EncodeContext } from '../../shared/request/encode-context.ts';

/** `max_tokens` is required. This is the value for requests without it, if the model's own limit is not known. */
const defaultMaxTokens = 8192;

export interface EncodedReasoning {
  readonly thinking?: JsonObject;
  readonly effort?: string;
  /** The limit of the request, or else the model's own, or else a limit that leaves room for an answer. */
  readonly maxTokens: number;
}

/** Returns `thinking`, `output_config.effort` and the `max_tokens` that go with them. */
export const encodeReasoning = (conversation: Conversation, context: EncodeContext): EncodedReasoning => {
  const limit = conversation.sampling.maxTokens;
  if (limit === undefined) context.lost.push('sampling.maxTokens');
  const { thinking, effort, budget } = claudeThinking(conversation, context);
  return defined({
    thinking,
    effort,
    maxTokens: limit ?? claudeOutput(conversation.model) ?? defaultMaxTokens + (budget ?? 0),
  });
};
