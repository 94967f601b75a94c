import { exactText } from '../../../../schema/json/exact-numbers.ts';
import type { Json } from '../../../../schema/json/json.ts';
import { findObject, findText } from '../../../../schema/json/loose.ts';

/** Returns the arguments of a call as text. Some providers send the object itself. */
export const callText = (wire: Json | undefined): string => {
  const object = findObject(wire);
  return object === undefined ? (findText(wire) ?? '') : exactText(object);
};
