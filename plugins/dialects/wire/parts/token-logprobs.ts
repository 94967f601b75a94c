import type { TokenLogprob } from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findItems, findNumber, findText, toObjects } from '../../../../schema/json/loose.ts';
import { defined } from '../json/defined.ts';

const decodeToken = (wire: JsonObject): Omit<TokenLogprob, 'top'> =>
  defined({
    token: findText(wire.token) ?? '',
    logprob: findNumber(wire.logprob) ?? 0,
    bytes: findItems(wire.bytes)?.flatMap((byte) => findNumber(byte) ?? []),
  });

/** The tokens of a list, as OpenAI writes them. */
export const decodeTokens = (list: Json | undefined): readonly TokenLogprob[] =>
  toObjects(list).map((wire) => {
    const top = toObjects(wire.top_logprobs).map(decodeToken);
    return { ...decodeToken(wire), ...(top.length > 0 ? { top } : {}) };
  });

const encodeToken = ({ token, logprob, bytes }: Omit<TokenLogprob, 'top'>): JsonObject => ({
  token,
  logprob,
  bytes: bytes ?? null,
});

/** Clients require `top_logprobs`, even if it is empty. */
export const encodeTokens = (tokens: readonly TokenLogprob[]): readonly JsonObject[] =>
  tokens.map(({ top = [], ...token }) => ({ ...encodeToken(token), top_logprobs: top.map(encodeToken) }));
