import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';

/** The keyword that is put beside each reference. No schema of a user has a name like it. */
export const refCounter = 'gatewright:counted';

/** The keywords that refer to a schema; the last is of an older version, which the validator knows as well. */
const references = ['$ref', '$dynamicRef', '$recursiveRef'] as const;
/** Keywords whose values are no schemas, whatever they look like. */
const plain: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);
/** Keywords whose members are schemas by names of the user. */
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
 * A schema in which each reference is counted when it is followed. References that are followed again and again, by
 * several ways, are all that can make a small schema expensive.
 */
export const countedRefs = (schema: JsonObject): JsonObject => {
  const counted = inSchema(schema);
  return isJsonObject(counted) ? counted : schema;
};
