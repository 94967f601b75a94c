import { isJsonObject, type Json, type JsonObject } from '../../../schema/json.ts';

const countOf = (value: Json | undefined): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

const memberOf = (value: Json | undefined, name: string): Json | undefined =>
  isJsonObject(value) ? value[name] : undefined;

/** The smaller of two counts, either of which may be missing. */
const smaller = (one: number | undefined, other: number | undefined): number | undefined => {
  if (one === undefined) return other;
  return other === undefined ? one : Math.min(one, other);
};

/** The answers that a request asks for, each of which may have as many tokens. */
const answersOf = ({ n, generationConfig }: JsonObject): number =>
  Math.max(1, countOf(n) ?? countOf(memberOf(generationConfig, 'candidateCount')) ?? 1);

/**
 * The most tokens that a request lets its model answer with, in whichever dialect it is; undefined if it does not say. Of
 * several bounds the smallest holds.
 */
export const mostOutputOf = (body: JsonObject): number | undefined => {
  let least = smaller(countOf(body.max_tokens), countOf(body.max_completion_tokens));
  least = smaller(least, countOf(body.max_output_tokens));
  least = smaller(least, countOf(memberOf(body.generationConfig, 'maxOutputTokens')));
  least = smaller(least, countOf(memberOf(body.inferenceConfig, 'maxTokens')));
  return least === undefined ? undefined : Math.ceil(least * answersOf(body));
};
