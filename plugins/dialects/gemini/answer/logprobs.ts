import type { TokenLogprob } from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';

const decodeToken = (wire: JsonObject): TokenLogprob => ({
  token: findText(wire.token) ?? '',
  logprob: findNumber(wire.logProbability) ?? 0,
});

/** Decodes `logprobsResult`: https://ai.google.dev/api/generate-content#LogprobsResult */
export const decodeLogprobs = (result: Json | undefined): readonly TokenLogprob[] => {
  const wire = findObject(result);
  const top = toObjects(wire?.topCandidates).map((item) => toObjects(item.candidates).map(decodeToken));
  return toObjects(wire?.chosenCandidates).map((item, at) => {
    const others = top[at] ?? [];
    return others.length > 0 ? { ...decodeToken(item), top: others } : decodeToken(item);
  });
};

const encodeToken = ({ token, logprob }: TokenLogprob): JsonObject => ({ token, logProbability: logprob });

/** Returns the members of a candidate with the log probabilities of its tokens, or none if they are not known. */
export const encodeLogprobs = (tokens: readonly TokenLogprob[]): JsonObject => {
  if (tokens.length === 0) return {};
  const hasTop = tokens.some(({ top = [] }) => top.length > 0);
  return {
    avgLogprobs: tokens.reduce((sum, { logprob }) => sum + logprob, 0) / tokens.length,
    logprobsResult: {
      chosenCandidates: tokens.map(encodeToken),
      ...(hasTop ? { topCandidates: tokens.map(({ top = [] }) => ({ candidates: top.map(encodeToken) })) } : {}),
    },
  };
};
