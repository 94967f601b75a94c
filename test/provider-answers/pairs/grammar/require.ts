import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';

/** Throws an error about an answer that its client cannot use. */
export function require(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Error(message);
}

export const toObject = (value: Json | undefined, name: string): JsonObject => {
  require(isJsonObject(value), `${name} is not an object.`);
  return value;
};

export const toList = (value: Json | undefined, name: string): readonly Json[] => {
  require(Array.isArray(value), `${name} is not a list.`);
  return value;
};

export const toText = (value: Json | undefined, name: string): string => {
  require(typeof value === 'string', `${name} is not a text.`);
  return value;
};

/** A text of at least one character. */
export const toName = (value: Json | undefined, name: string): string => {
  const text = toText(value, name);
  require(text !== '', `${name} is empty.`);
  return text;
};

/** A count or an index: a whole number from 0. */
export const toCount = (value: Json | undefined, name: string): number => {
  require(typeof value === 'number' && Number.isSafeInteger(value) && value >= 0, `${name} is not a whole number.`);
  return value;
};

export const requireOneOf = (value: Json | undefined, allowed: readonly string[], name: string): void =>
  require(typeof value === 'string' && allowed.includes(value), `${name} is ${JSON.stringify(value)}.`);

/** Whether a member is absent. `null` counts as absent where a format writes it. */
export const isAbsent = (value: Json | undefined): value is null | undefined => value === undefined || value === null;
