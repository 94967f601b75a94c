import { isJsonObject, type Json, type JsonObject } from '../../schema/json/json.ts';
import { code, codes } from './markdown.ts';
import { resolveReference } from './open-api-document.ts';

const literal = (value: Json): string => code(JSON.stringify(value));

/** Returns the schema of a value without references, and without alternatives next to null. */
const plain = (value: Json | undefined): JsonObject => {
  const schema = resolveReference(value);
  const choices = Array.isArray(schema.anyOf) ? schema.anyOf.map(resolveReference) : [];
  const others = choices.filter(({ type }) => type !== 'null');
  const [only] = others;
  return only !== undefined && others.length === 1 ? { ...only, isNullable: choices.length > 1 } : schema;
};

const alternatives = (schema: JsonObject): readonly Json[] =>
  [schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : []));

/** Describes the type of a value. An object with a title is named. */
export const schemaType = (value: Json | undefined): string => {
  const schema = plain(value);
  const { type, enum: choices, const: only, title, items, isNullable } = schema;
  const nullable = isNullable === true ? ' or null' : '';
  if (only !== undefined) return literal(only);
  if (Array.isArray(choices)) return `one of ${choices.map(literal).join(', ')}${nullable}`;
  const several = alternatives(schema);
  if (several.length > 0) return [...new Set(several.map(schemaType))].join(' or ');
  if (type === 'array') return `list of ${items === undefined ? 'anything' : schemaType(items)}${nullable}`;
  if (type === 'object' || schema.properties !== undefined)
    return (typeof title === 'string' ? title : 'object') + nullable;
  if (Array.isArray(type)) return type.join(' or ');
  return typeof type === 'string' ? type + nullable : 'any value';
};

/** Returns the members of an object, each with its type, whether it is required, and its description. */
export const memberRows = (value: Json | undefined): readonly (readonly string[])[] => {
  const schema = plain(value);
  const { properties, required } = schema;
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(isJsonObject(properties) ? properties : {}).map(([name, member]) => {
    const { description = resolveReference(member).description, default: standard } = plain(member);
    return [
      code(name),
      schemaType(member),
      needed.includes(name) ? 'yes' : '',
      [
        typeof description === 'string' ? description : '',
        standard === undefined || standard === null ? '' : `Default: ${literal(standard)}.`,
      ]
        .filter((part) => part !== '')
        .join(' '),
    ];
  });
};

/** Returns the names of the members of an object, for an answer. */
export const memberNames = (value: Json | undefined): string => {
  const schema = plain(value);
  const { properties } = schema.properties === undefined ? plain(alternatives(schema)[0]) : schema;
  return codes(Object.keys(isJsonObject(properties) ? properties : {}));
};
