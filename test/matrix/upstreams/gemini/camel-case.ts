import { isJsonObject, type Json } from '../../../../schema/json/json.ts';

/** Members whose values are the user's own JSON. */
const free = new Set([
  'args',
  'response',
  'parametersJsonSchema',
  'responseJsonSchema',
  'labels',
  'default',
  'example',
]);

const camel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/**
 * Converts the members of a Protocol Buffers message to camelCase. They may also be written as in the definition.
 * https://protobuf.dev/programming-guides/json/
 */
export const camelCase = (value: Json): Json => {
  if (Array.isArray(value)) return value.map((item: Json) => camelCase(item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const known = camel(name);
      if (free.has(known)) return [known, inner];
      // The names of properties come from the user, but their schemas do not.
      if (known === 'properties' && isJsonObject(inner))
        return [known, Object.fromEntries(Object.entries(inner).map(([key, schema]) => [key, camelCase(schema)]))];
      return [known, camelCase(inner)];
    }),
  );
};
