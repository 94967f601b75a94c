import { expect } from 'vitest';
import type { ErrorReport } from '../../../schema/errors/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { parseObject } from '../../../schema/json/parse-json.ts';

/** The path of a member is the first word of the reason: `messages[0].content must be a string.` */
const named = /^The request does not fit the \S+ dialect: (?<path>[^\s.[]+(?:\.[^\s.[]+|\[\d+\])*) [a-z]/;

/**
 * Returns the member of an object or a list. Gemini accepts an object in place of a list with one item, and Bedrock counts the
 * tokens of requests in base64.
 */
const below = (value: Json | undefined, key: string): Json | undefined => {
  if (Array.isArray(value)) return value[Number(key)];
  if (typeof value === 'string') return below(parseObject(Buffer.from(value, 'base64').toString()) ?? 0, key);
  expect(value, `The message names ${key} in something that has no members`).toSatisfy(isJsonObject);
  if (!isJsonObject(value)) return undefined;
  return key === '0' && !Object.hasOwn(value, key) ? value : value[key];
};

/**
 * Expects that the message names a member of the body, or one that is missing there: only the last names of a path may be
 * missing, and not all of them.
 */
export const expectNamed = ({ message }: ErrorReport, body: JsonObject): void => {
  expect(message).toMatch(named);
  const keys = (named.exec(message)?.groups?.path ?? '').split(/[.[\]]+/).filter((key) => key !== '');
  let value: Json | undefined = body;
  for (const [depth, key] of keys.entries()) {
    const next = below(value, key);
    if (next === undefined || next === null) {
      expect(depth === 0 && keys.length > 1, `The body has no ${key}, which the message names: ${message}`).toBe(false);
      return;
    }
    value = next;
  }
};
