import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';

/** The keyword that is added next to each reference. No user's schema has a similar name. */
export const refCounter = 'gatewright:counted';

/** The keywords that refer to a schema. The last one belongs to an older version that the validator also supports. */
const references = ['$ref', '$dynamicRef', '$recursiveRef'] as const;
/** Keywords whose values are not schemas, whatever they look like. */
const plain: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);
/** Keywords whose members are schemas under names chosen by the user. */
const named: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
]);

const mapMembers = (object: JsonObject, change: (value: Json, name: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));

const inKeyword = (value: Json, keyword: string): Json => {
  if (plain.has(keyword)) return value;
  if (isJsonObject(value)) return named.has(keyword) ? mapMembers(value, inSchema) : inSchema(value);
  return Array.isArray(value) ? value.map((item: Json) => inSchema(item)) : value;
};

const inSchema = (schema: Json): Json => {
  if (!isJsonObject(schema)) return schema;
  const refers = references.some((keyword) => Object.hasOwn(schema, keyword));
  return { ...mapMembers(schema, inKeyword), ...(refers ? { [refCounter]: true } : {}) };
};

/**
 * Returns a schema in which each reference is counted when it is followed. A small schema can only be expensive if references are
 * followed again and again in several ways.
 */
export const countedRefs = (schema: JsonObject): JsonObject => {
  const counted = inSchema(schema);
  return isJsonObject(counted) ? counted : schema;
};
