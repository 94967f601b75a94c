import type { Json } from '../../../../schema/json/json.ts';
import { childOf } from '../../../../schema/json/look-up.ts';
import { childPointer, fromPointer, type JsonPointer, rootPointer } from '../../../../schema/json/pointer.ts';

/** Returns the place itself, or its nearest ancestor that exists. */
export const nearestPlace = (value: Json, pointer: JsonPointer): JsonPointer => {
  let at = value;
  let found = rootPointer;
  for (const token of fromPointer(pointer)) {
    const child = childOf(at, token);
    if (child === undefined) break;
    at = child;
    found = childPointer(found, token);
  }
  return found;
};
