import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';

const findCount = (value: Json | undefined): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

/** Infinite where there is none. */
const readBound = (value: Json | undefined): number => findCount(value) ?? Number.POSITIVE_INFINITY;

const findMember = (value: Json | undefined, name: string): Json | undefined =>
  isJsonObject(value) ? value[name] : undefined;

/** The answers that a request asks for, each of which may have as many tokens. */
const countAnswers = ({ n, generationConfig }: JsonObject): number =>
  Math.max(1, findCount(n) ?? findCount(findMember(generationConfig, 'candidateCount')) ?? 1);

/**
 * The most tokens that a request lets its model answer with, in whichever dialect it is; undefined if it does not say. Of
 * several bounds the smallest holds.
 */
export const findMaxOutput = (body: JsonObject): number | undefined => {
  const min = Math.min(
    readBound(body.max_tokens),
    readBound(body.max_completion_tokens),
    readBound(body.max_output_tokens),
    readBound(findMember(body.generationConfig, 'maxOutputTokens')),
    readBound(findMember(body.inferenceConfig, 'maxTokens')),
  );
  return min === Number.POSITIVE_INFINITY ? undefined : Math.ceil(min * countAnswers(body));
};
