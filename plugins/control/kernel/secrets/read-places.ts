import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../../schema/json/pointer.ts';

/** The places of a value whose values are wanted, with these values, and none inside another of them. */
export const readPlaces = (
  value: Json,
  wanted: (value: Json, pointer: JsonPointer) => boolean,
  at: JsonPointer = rootPointer,
): readonly (readonly [JsonPointer, Json])[] => {
  if (wanted(value, at)) return [[at, value]];
  if (Array.isArray(value)) {
    return value.flatMap((item: Json, index) => readPlaces(item, wanted, childPointer(at, index)));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => readPlaces(member, wanted, childPointer(at, name)));
};
