import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';

/** Collects the named schemas of a document, so that each is written once. */
export interface SchemaComponents {
  /** Returns what was collected so far, sorted by name. */
  readonly written: () => JsonObject;
  /** Returns the schema with references in place of those schemas in it, or itself, that have a `title`. */
  readonly place: (schema: JsonObject) => JsonObject;
  /** Does the same, but gives this name to a schema without a `title`. */
  readonly placeAs: (name: string, schema: JsonObject) => JsonObject;
}

const mapValues = (object: JsonObject, change: (value: Json) => Json): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

/**
 * Creates the components of a document. In bodies of requests, names end in `Input`: these are closed to members that the
 * document does not have, while answers may gain some.
 */
export const createSchemaComponents = (): { readonly replies: SchemaComponents; readonly bodies: SchemaComponents } => {
  const known = new Map<string, { readonly text: string; readonly schema: JsonObject }>();

  const add = (name: string, schema: JsonObject): JsonObject => {
    const text = JSON.stringify(schema);
    const other = known.get(name);
    // Plugins choose names too. If another schema has the name already, this one is written where it is used.
    if (other !== undefined && other.text !== text) return schema;
    known.set(name, { text, schema });
    return { $ref: `#/components/schemas/${name}` };
  };

  const written = (): JsonObject =>
    Object.fromEntries(
      Array.from(known, ([name, { schema }]): [string, JsonObject] => [name, schema]).toSorted(([one], [other]) =>
        one < other ? -1 : 1,
      ),
    );

  const placing = (suffix: string): SchemaComponents => {
    const place = (schema: JsonObject, name?: string): JsonObject => {
      const { title, ...rest } = mapWords(schema);
      const called = typeof title === 'string' ? title + suffix : name;
      return called === undefined ? rest : add(called, rest);
    };
    const inner = (value: Json): Json => (isJsonObject(value) ? place(value) : value);
    const mapWords = (schema: JsonObject): JsonObject =>
      Object.fromEntries(
        Object.entries(schema).map(([word, value]): [string, Json] => {
          if (word === 'items' || word === 'additionalProperties') return [word, inner(value)];
          if (word === 'properties' && isJsonObject(value)) return [word, mapValues(value, inner)];
          if (['anyOf', 'oneOf', 'allOf'].includes(word) && Array.isArray(value)) return [word, value.map(inner)];
          return [word, value];
        }),
      );
    return { written, place: (schema) => place(schema), placeAs: (name, schema) => place(schema, name) };
  };

  return { replies: placing(''), bodies: placing('Input') };
};
