import { closeSchema } from '../../../plugins/sdk/parameters/close-schema.ts';
import type { ParameterSchema } from '../../../plugins/sdk/parameters/from-schema.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';

const isNull = (option: Json): boolean => isJsonObject(option) && option.type === 'null';

/**
 * Closes an object or null. Client generators do not know `unevaluatedProperties`, and take an empty list of members beside the
 * options for a value without members. The object itself can be closed instead.
 */
const closeNullable = (schema: JsonObject): JsonObject => {
  const { anyOf, properties, unevaluatedProperties, ...rest } = schema;
  const isEmpty = isJsonObject(properties ?? null) && Object.keys(properties as JsonObject).length === 0;
  if (!Array.isArray(anyOf) || unevaluatedProperties !== false || !isEmpty) return schema;
  if (anyOf.filter((each) => !isNull(each)).length !== 1) return schema;
  const closed = anyOf.map((each) =>
    isJsonObject(each) && each.properties !== undefined && each.additionalProperties === undefined
      ? { ...each, additionalProperties: false }
      : each,
  );
  return { ...rest, anyOf: closed };
};

const throughout = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(throughout);
  if (!isJsonObject(value)) return value;
  return closeNullable(Object.fromEntries(Object.entries(value).map(([name, each]) => [name, throughout(each)])));
};

/** Returns the schema that the gateway validates a value against: the same schema, closed. */
export const documentedSchema = (schema: ParameterSchema): JsonObject =>
  throughout(closeSchema(schema) as JsonObject) as JsonObject;
