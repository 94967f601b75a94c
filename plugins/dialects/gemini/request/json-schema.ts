import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { keepSources } from '../../../../schema/json/number-sources.ts';
import { spellings } from '../parts/field.ts';

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

const mapped = (schemas: Json): Json =>
  isJsonObject(schemas)
    ? Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, inner(schema)]))
    : schemas;

const inner = (schema: Json): Json => (isJsonObject(schema) ? toJsonSchema(schema) : schema);

/** Counts are 64-bit integers, which the format writes as strings. */
const counts = spellings(['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties']);

const camel = (name: string): string => name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

const keyword = (name: string, value: Json): readonly [string, Json] => {
  if (counts.has(name)) return [camel(name), typeof value === 'string' ? Number(value) : value];
  switch (camel(name)) {
    case 'type':
      return [name, typeof value === 'string' ? value.toLowerCase() : value];
    case 'properties':
      return [name, mapped(value)];
    case 'items':
      return [name, inner(value)];
    case 'anyOf':
      return ['anyOf', isList(value) ? value.map(inner) : value];
    case 'example':
      return ['examples', [value]];
    default:
      return [name, value];
  }
};

/**
 * Converts a `Schema` of Google, which follows OpenAPI 3.0 in part, to a JSON Schema: its types are in capital letters, and null
 * is a flag. https://ai.google.dev/api/caching#Schema
 */
export const toJsonSchema = (schema: JsonObject): JsonObject => {
  const { nullable, ...rest } = schema;
  const json = Object.fromEntries(
    Object.entries(rest)
      .filter(([name, value]) => !(name === 'format' && value === 'enum'))
      .map(([name, value]) => keyword(name, value)),
  );
  if (nullable === true && typeof json.type === 'string') json.type = [json.type, 'null'];
  return keepSources(json, schema);
};
