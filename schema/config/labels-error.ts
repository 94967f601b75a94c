import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';

const isLabel = (value: Json): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** Whether a number may have been rounded when it was read, which would make two different labels equal. */
const isRounded = (value: Json): boolean => typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;

/** Returns why a value cannot be the labels of a request, as the rest of a sentence about it; undefined if it can. */
export const labelsError = (value: Json | undefined): string | undefined => {
  if (!isJsonObject(value) || !Object.values(value).every(isLabel))
    return 'must be a JSON object whose values are strings, numbers or booleans';
  return Object.values(value).some(isRounded)
    ? 'has a number beyond 9007199254740991, which would be rounded: write that as a string'
    : undefined;
};

/** Whether a value can be the labels of a request. */
export const isLabels = (value: Json | undefined): value is JsonObject => labelsError(value) === undefined;
