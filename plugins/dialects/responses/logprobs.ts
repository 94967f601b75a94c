import type { TokenLogprob } from '../../../schema/conversation.ts';
import type { Json, JsonObject } from '../../../schema/json.ts';
import { defined } from '../wire/defined.ts';
import { itemsOf, numberOf, objectsOf, textOf } from '../wire/loose.ts';

const decodeToken = (wire: JsonObject): Omit<TokenLogprob, 'top'> =>
  defined({
    token: textOf(wire.token) ?? '',
    logprob: numberOf(wire.logprob) ?? 0,
    bytes: itemsOf(wire.bytes)?.filter((byte) => typeof byte === 'number'),
  });

/** The log probabilities of a text's tokens; undefined if there are none. */
export const decodeLogprobs = (list: Json | undefined): readonly TokenLogprob[] | undefined => {
  const tokens = objectsOf(list).map((wire): TokenLogprob => {
    const top = objectsOf(wire.top_logprobs).map(decodeToken);
    return { ...decodeToken(wire), ...(top.length > 0 ? { top } : {}) };
  });
  return tokens.length > 0 ? tokens : undefined;
};

const encodeToken = ({ token, logprob, bytes }: Omit<TokenLogprob, 'top'>): JsonObject =>
  defined({ token, logprob, bytes });

/** Clients require `top_logprobs`, even if it is empty. */
export const encodeLogprobs = (logprobs: readonly TokenLogprob[] = []): readonly JsonObject[] =>
  logprobs.map(({ top = [], ...token }) => ({ ...encodeToken(token), top_logprobs: top.map(encodeToken) }));
