import { isJsonObject, type Json, type JsonObject } from '../../../schema/json.ts';

const countOf = (value: Json | undefined): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

const memberOf = (value: Json | undefined, name: string): Json | undefined =>
  isJsonObject(value) ? value[name] : undefined;

/** The answers that a request asks for, each of which may have as many tokens. */
const answersOf = ({ n, generationConfig }: JsonObject): number =>
  Math.max(1, countOf(n) ?? countOf(memberOf(generationConfig, 'candidateCount')) ?? 1);

/**
 * The most tokens that a request lets its model answer with, in whichever dialect it is; undefined if it does not say. Of
 * several bounds the smallest holds.
 */
export const mostOutputOf = (body: JsonObject): number | undefined => {
  const bounds = [
    body.max_tokens,
    body.max_completion_tokens,
    body.max_output_tokens,
    memberOf(body.generationConfig, 'maxOutputTokens'),
    memberOf(body.inferenceConfig, 'maxTokens'),
  ].flatMap((value) => countOf(value) ?? []);
  return bounds.length === 0 ? undefined : Math.ceil(Math.min(...bounds) * answersOf(body));
};
