import { isJsonObject, type Json } from '../../../schema/json.ts';
import type { ParameterSchema } from '../from-schema.ts';
import { optionsOf } from './options-of.ts';

/** The strings in a value that are patterns according to its schema. */
export const patternTexts = (schema: ParameterSchema, value: Json | undefined): readonly string[] => {
  if (value === undefined) return [];
  const { format, properties = {}, additionalProperties, items } = schema;
  const found = optionsOf(schema).flatMap((option) => patternTexts(option, value));
  if (typeof value === 'string') return format === 'regex' ? [...found, value] : found;
  if (Array.isArray(value))
    return items === undefined ? found : [...found, ...value.flatMap((item) => patternTexts(items, item))];
  if (!isJsonObject(value)) return found;
  const rest = typeof additionalProperties === 'object' ? additionalProperties : {};
  return [
    ...found,
    ...Object.entries(value).flatMap(([name, member]) =>
      patternTexts(Object.hasOwn(properties, name) ? (properties[name] ?? rest) : rest, member),
    ),
  ];
};
