import type { Json } from '../../../schema/json/json.ts';
import { formatPlaces } from './format-places.ts';
import type { ParameterSchema } from './from-schema.ts';

/** Returns the strings in a value that are patterns according to its schema. */
export const patternTexts = (schema: ParameterSchema, value: Json | undefined): readonly string[] =>
  formatPlaces(schema, value, 'regex').map(({ text }) => text);
