import type { TokenLogprob } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findItems, findNumber, findText } from '../../../../schema/json/loose.ts';

/**
 * https://docs.cohere.com/reference/chat#response.body.logprobs: a chunk of text with the log probability of each of its tokens,
 * but without the text of each token. The chunk's log probability is their sum.
 */
export const decodeLogprob = (wire: JsonObject): readonly TokenLogprob[] => {
  const token = findText(wire.text);
  const values = (findItems(wire.logprobs) ?? []).flatMap((value) => findNumber(value) ?? []);
  if (token === undefined || values.length === 0) return [];
  return [{ token, logprob: values.reduce((sum, value) => sum + value, 0) }];
};

/** Omits the ids of tokens, which only the model's own provider knows. */
export const encodeLogprob = ({ token, logprob }: TokenLogprob): JsonObject => ({
  text: token,
  token_ids: [],
  logprobs: [logprob],
});
