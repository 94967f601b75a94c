import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';

const findCount = (value: Json | undefined): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

/** Returns a limit; infinite if there is none. */
const readBound = (value: Json | undefined): number => findCount(value) ?? Number.POSITIVE_INFINITY;

const findMember = (value: Json | undefined, name: string): Json | undefined =>
  isJsonObject(value) ? value[name] : undefined;

/** Returns how many answers a request asks for. Each of them may have the maximum number of tokens. */
const countAnswers = ({ n, generationConfig }: JsonObject): number =>
  Math.max(1, findCount(n) ?? findCount(findMember(generationConfig, 'candidateCount')) ?? 1);

/**
 * Returns the most output tokens that a request allows, in any dialect; undefined if it does not say. If there are several
 * limits, the smallest applies.
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

/** A longer text, or one with other characters, is not the name of a tier. It is not copied to records of usage. */
const tierName = /^[\w.-]{1,40}$/;

/** Returns the service tier that a request asks for, in any dialect, as prices name it; undefined if it asks for none. */
export const findAskedTier = ({ service_tier: snake, serviceTier: camel }: JsonObject): string | undefined => {
  const asked = snake ?? findMember(camel, 'type') ?? camel;
  return typeof asked === 'string' && tierName.test(asked) ? asked.toLowerCase() : undefined;
};
