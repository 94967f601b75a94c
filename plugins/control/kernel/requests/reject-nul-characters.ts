import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../../schema/json/pointer.ts';
import type { Problem } from './problem.ts';
import { refuse } from './refusals.ts';

const zero = '\u0000';

const error = (pointer: JsonPointer): Problem => ({
  pointer,
  message: 'This text has the character U+0000, which the store cannot keep.',
  hint: 'Leave it out.',
});

/** The texts of a value, names of members among them, that have the character U+0000. */
export const findNulCharacters = (value: Json, at: JsonPointer = rootPointer): readonly Problem[] => {
  if (typeof value === 'string') return value.includes(zero) ? [error(at)] : [];
  if (Array.isArray(value))
    return value.flatMap((item: Json, index) => findNulCharacters(item, childPointer(at, index)));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    ...(name.includes(zero) ? [error(at)] : []),
    ...findNulCharacters(member, childPointer(at, name)),
  ]);
};

/** Throws the `GatewayError` `invalid-input` for a body, or a query, with a text that the store cannot keep. */
export const rejectNulCharacters = (given: object, part?: 'query'): void => {
  // Bodies and queries were JSON.
  refuse(findNulCharacters(given as Json).map((each) => (part === undefined ? each : { in: part, ...each })));
};
