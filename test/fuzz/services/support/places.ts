import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { childPointer, fromPointer, type JsonPointer, rootPointer } from '../../../../schema/json/pointer.ts';

/** Returns every place in a value except the value itself, outermost first. */
export const placesIn = (value: Json, at: JsonPointer = rootPointer): readonly JsonPointer[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]: [string, Json]) => {
    const place = childPointer(at, key);
    return [place, ...placesIn(child, place)];
  });
};

const removed = (value: Json, [first = '', ...rest]: readonly string[]): Json => {
  if (Array.isArray(value))
    return value.flatMap((item: Json, index) => {
      if (String(index) !== first) return [item];
      return rest.length === 0 ? [] : [removed(item, rest)];
    });
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      if (name !== first) return [[name, member]];
      return rest.length === 0 ? [] : [[name, removed(member, rest)]];
    }),
  );
};

/** Returns the value without the given place. */
export const withoutPlace = (value: Json, place: JsonPointer): Json => removed(value, fromPointer(place));
