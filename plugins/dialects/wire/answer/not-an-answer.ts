import type { JsonObject } from '../../../../schema/json/json.ts';
import { objectOf, textOf } from '../../../../schema/json/loose.ts';

/** Why a body with a good status is not an answer. Some services send their errors that way. */
export const notAnAnswer = (wire: JsonObject, list: string): string => {
  const message = textOf(objectOf(wire.error)?.message) ?? textOf(wire.error);
  return message === undefined ? `it has no list of ${list}.` : `it is an error: ${message}`;
};
