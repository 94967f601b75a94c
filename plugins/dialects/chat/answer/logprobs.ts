import type { TokenLogprob } from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findObject } from '../../../../schema/json/loose.ts';
import { decodeTokens, encodeTokens } from '../../wire/parts/token-logprobs.ts';

/** https://platform.openai.com/docs/api-reference/chat/object: the log probabilities of a choice's content. */
export const decodeLogprobs = (logprobs: Json | undefined): readonly TokenLogprob[] =>
  decodeTokens(findObject(logprobs)?.content);

/** Selects the log probabilities of a choice that are not of its content: that of a refusal. */
export const otherLogprobs = (logprobs: Json | undefined): JsonObject | undefined => {
  const { content: _content, ...rest } = findObject(logprobs) ?? {};
  const kept = Object.entries(rest).filter(([, value]) => value !== null);
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
};

/** Null where there are none. */
export const encodeLogprobs = (tokens: readonly TokenLogprob[]): JsonObject | null =>
  tokens.length === 0 ? null : { content: encodeTokens(tokens, null), refusal: null };
