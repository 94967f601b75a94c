import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../schema/json/pointer.ts';
import type { ParameterSchema } from './from-schema.ts';
import { toOptions } from './to-options.ts';

/** A string in a value, and its place. */
export interface PlacedText {
  readonly at: JsonPointer;
  readonly text: string;
}

/** Returns the strings in a value that have a format according to its schema. */
export const formatPlaces = (
  schema: ParameterSchema,
  value: Json | undefined,
  format: NonNullable<ParameterSchema['format']>,
): readonly PlacedText[] => placesIn(schema, value, { format, at: rootPointer });

interface Place {
  readonly format: ParameterSchema['format'];
  readonly at: JsonPointer;
}

const placesIn = (schema: ParameterSchema, value: Json | undefined, place: Place): readonly PlacedText[] => {
  if (value === undefined) return [];
  const { format, at } = place;
  const inner = (each: ParameterSchema, member: Json, token: string | number): readonly PlacedText[] =>
    placesIn(each, member, { format, at: childPointer(at, token) });
  const { properties = {}, additionalProperties, items } = schema;
  const found = toOptions(schema).flatMap((option) => placesIn(option, value, place));
  if (typeof value === 'string') return schema.format === format ? [...found, { at, text: value }] : found;
  if (Array.isArray(value))
    return items === undefined ? found : [...found, ...value.flatMap((item: Json, index) => inner(items, item, index))];
  if (!isJsonObject(value)) return found;
  const rest = typeof additionalProperties === 'object' ? additionalProperties : {};
  return [
    ...found,
    ...Object.entries(value).flatMap(([name, member]) =>
      inner(Object.hasOwn(properties, name) ? (properties[name] ?? rest) : rest, member, name),
    ),
  ];
};
