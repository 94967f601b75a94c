import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';

const countOf = (value: Json | undefined): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

/** Infinite where there is none. */
const boundOf = (value: Json | undefined): number => countOf(value) ?? Number.POSITIVE_INFINITY;

const memberOf = (value: Json | undefined, name: string): Json | undefined =>
  isJsonObject(value) ? value[name] : undefined;

/** The answers that a request asks for, each of which may have as many tokens. */
const answersOf = ({ n, generationConfig }: JsonObject): number =>
  Math.max(1, countOf(n) ?? countOf(memberOf(generationConfig, 'candidateCount')) ?? 1);

/**
 * The most tokens that a request lets its model answer with, in whichever dialect it is; undefined if it does not say. Of
 * several bounds the smallest holds.
 */
export const maxOutputOf = (body: JsonObject): number | undefined => {
  const least = Math.min(
    boundOf(body.max_tokens),
    boundOf(body.max_completion_tokens),
    boundOf(body.max_output_tokens),
    boundOf(memberOf(body.generationConfig, 'maxOutputTokens')),
    boundOf(memberOf(body.inferenceConfig, 'maxTokens')),
  );
  return least === Number.POSITIVE_INFINITY ? undefined : Math.ceil(least * answersOf(body));
};
