import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText } from '../../../../schema/json/loose.ts';

/** Returns why a body with a success status is not an answer. Some services send their errors that way. */
export const notAnAnswer = (wire: JsonObject, list: string): string => {
  const message = findText(findObject(wire.error)?.message) ?? findText(wire.error);
  return message === undefined ? `it has no list of ${list}.` : `it is an error: ${message}`;
};
