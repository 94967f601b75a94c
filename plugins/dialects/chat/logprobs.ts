import type { TokenLogprob } from '../../../schema/conversation.ts';
import type { Json, JsonObject } from '../../../schema/json.ts';
import { defined } from '../wire/defined.ts';
import { itemsOf, numberOf, objectOf, objectsOf, textOf } from '../wire/loose.ts';

const decodeToken = (wire: JsonObject): Omit<TokenLogprob, 'top'> =>
  defined({
    token: textOf(wire.token) ?? '',
    logprob: numberOf(wire.logprob) ?? 0,
    bytes: itemsOf(wire.bytes)?.filter((byte) => typeof byte === 'number'),
  });

/** https://platform.openai.com/docs/api-reference/chat/object: the log probabilities of a choice's content. */
export const decodeLogprobs = (logprobs: Json | undefined): readonly TokenLogprob[] =>
  objectsOf(objectOf(logprobs)?.content).map((wire) => {
    const top = objectsOf(wire.top_logprobs).map(decodeToken);
    return { ...decodeToken(wire), ...(top.length > 0 ? { top } : {}) };
  });

/** What of a choice's log probabilities is not of its content: that of a refusal. */
export const otherLogprobs = (logprobs: Json | undefined): JsonObject | undefined => {
  const { content: _content, ...rest } = objectOf(logprobs) ?? {};
  const kept = Object.entries(rest).filter(([, value]) => value !== null);
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
};

const encodeToken = ({ token, logprob, bytes }: Omit<TokenLogprob, 'top'>): JsonObject => ({
  token,
  logprob,
  bytes: bytes ?? null,
});

/** Null where there are none. */
export const encodeLogprobs = (tokens: readonly TokenLogprob[]): JsonObject | null =>
  tokens.length === 0
    ? null
    : {
        content: tokens.map(({ top = [], ...token }) => ({
          ...encodeToken(token),
          top_logprobs: top.map(encodeToken),
        })),
        refusal: null,
      };
