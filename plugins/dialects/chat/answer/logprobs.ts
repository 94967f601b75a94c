import type { TokenLogprob } from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findObject } from '../../../../schema/json/loose.ts';
import { decodeTokens, encodeTokens } from '../../shared/parts/token-logprobs.ts';

/** Reads the log probabilities of a choice's content: https://platform.openai.com/docs/api-reference/chat/object */
export const decodeLogprobs = (logprobs: Json | undefined): readonly TokenLogprob[] =>
  decodeTokens(findObject(logprobs)?.content);

/** Selects the log probabilities of a choice that do not belong to its content: those of a refusal. */
export const otherLogprobs = (logprobs: Json | undefined): JsonObject | undefined => {
  const { content: _content, ...rest } = findObject(logprobs) ?? {};
  const kept = Object.entries(rest).filter(([, value]) => value !== null);
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
};

/** Returns null if there are none. */
export const encodeLogprobs = (tokens: readonly TokenLogprob[]): JsonObject | null =>
  tokens.length === 0 ? null : { content: encodeTokens(tokens, null), refusal: null };
