import type { TokenLogprob } from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findItems, findNumber, findText, toObjects } from '../../../../schema/json/loose.ts';
import { defined } from '../json/defined.ts';

/** Returns the bytes of a token. A token without bytes has `null`, or no member. */
const decodeBytes = (value: Json | undefined): readonly number[] | undefined => {
  const bytes = findItems(value)?.flatMap((byte) => findNumber(byte) ?? []);
  return bytes === undefined || bytes.length === 0 ? undefined : bytes;
};

const decodeToken = (wire: JsonObject): Omit<TokenLogprob, 'top'> =>
  defined({
    token: findText(wire.token) ?? '',
    logprob: findNumber(wire.logprob) ?? 0,
    bytes: decodeBytes(wire.bytes),
  });

/** Decodes the tokens of a list, as OpenAI writes them. */
export const decodeTokens = (list: Json | undefined): readonly TokenLogprob[] =>
  toObjects(list).map((wire) => {
    const top = toObjects(wire.top_logprobs).map(decodeToken);
    return { ...decodeToken(wire), ...(top.length > 0 ? { top } : {}) };
  });

/**
 * Encodes tokens as OpenAI writes them. Clients require `top_logprobs`, even if it is empty.
 *
 * @param noBytes the value for a token without bytes: clients of chat completions accept `null`, those of responses only a list
 */
export const encodeTokens = (tokens: readonly TokenLogprob[], noBytes: readonly [] | null): readonly JsonObject[] => {
  const encodeToken = ({ token, logprob, bytes }: Omit<TokenLogprob, 'top'>): JsonObject => ({
    token,
    logprob,
    bytes: bytes ?? noBytes,
  });
  return tokens.map(({ top = [], ...token }) => ({ ...encodeToken(token), top_logprobs: top.map(encodeToken) }));
};
