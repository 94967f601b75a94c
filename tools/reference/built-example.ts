import { isJsonObject, type Json, type JsonObject } from '../../schema/json/json.ts';
import { anyName, item, type Member, resolveSchema } from './member-tree.ts';

const nameOfOwn = 'main';

/** Returns a value that a schema allows: its first example, its default, its first choice, or the smallest value of its type. */
const fillSchema = (written: JsonObject, root: JsonObject): Json => {
  const schema = resolveSchema(written, root);
  const {
    examples,
    default: standard,
    enum: choices,
    type,
    items,
    properties,
    required,
    pattern,
    additionalProperties,
  } = schema;
  if (Array.isArray(examples) && examples[0] !== undefined) return examples[0];
  if (standard !== undefined && standard !== false && standard !== 0) return standard;
  if (Array.isArray(choices) && choices[0] !== undefined) return choices[0];
  const [kind] = Array.isArray(type) ? type.filter((each) => each === 'object').concat(type) : [type];
  if (kind === 'array') return isJsonObject(items) ? [fillSchema(items, root)] : [];
  if (kind === 'boolean') return true;
  if (kind === 'integer' || kind === 'number') return schema.minimum ?? 1;
  if (kind === 'string') return typeof pattern === 'string' && pattern.includes('env:') ? '${env:NAME}' : 'example';
  if (properties === undefined && isJsonObject(additionalProperties))
    return { [nameOfOwn]: fillSchema(additionalProperties, root) };
  const needed: readonly Json[] = Array.isArray(required) ? required : [];
  const entries = Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([key, member]) =>
    needed.includes(key) && isJsonObject(member) ? [[key, fillSchema(member, root)] as const] : [],
  );
  return Object.fromEntries(entries);
};

/** Does the same, but adds its first member to an object that requires none, so that the example shows one. */
export const exampleValue = (written: JsonObject, root: JsonObject): Json => {
  const value = fillSchema(written, root);
  if (!isJsonObject(value) || Object.keys(value).length > 0) return value;
  const { properties } = resolveSchema(written, root);
  const [first] = Object.entries(isJsonObject(properties) ? properties : {});
  return first !== undefined && isJsonObject(first[1]) ? { [first[0]]: exampleValue(first[1], root) } : value;
};

/** Whether a value contains the member at the given keys. */
export const hasMember = (value: Json | undefined, keys: readonly string[]): boolean => {
  const [key, ...rest] = keys;
  if (key === undefined) return value !== undefined;
  if (key === item) return Array.isArray(value) && value.some((each) => hasMember(each, rest));
  if (!isJsonObject(value)) return false;
  return key === anyName ? Object.values(value).some((each) => hasMember(each, rest)) : hasMember(value[key], rest);
};

/** Returns the schema of the part of a document at a key. */
const step = (schema: JsonObject, key: string, root: JsonObject): JsonObject => {
  const { properties, additionalProperties, items } = resolveSchema(schema, root);
  const found =
    key === item
      ? items
      : isJsonObject(properties) && properties[key] !== undefined
        ? properties[key]
        : additionalProperties;
  return isJsonObject(found) ? found : {};
};

const examplesOf = (schema: JsonObject): readonly Json[] => (Array.isArray(schema.examples) ? schema.examples : []);

/** Returns the first key in the examples of an object with arbitrary keys. */
const exampleName = (schema: JsonObject, root: JsonObject): string => {
  const [example] = examplesOf(resolveSchema(schema, root));
  return (isJsonObject(example) ? Object.keys(example)[0] : undefined) ?? nameOfOwn;
};

const isShort = (example: Json): boolean => isJsonObject(example) && Object.keys(example).length === 1;

/**
 * Adds a value at the place of the keys. Objects on the way get their required members, or those of a one-member example if
 * there are none.
 */
export const withMember = (
  schema: JsonObject,
  root: JsonObject,
  { at, keys, value }: { readonly at: Json | undefined; readonly keys: readonly string[]; readonly value: Json },
): Json => {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  const inner = step(schema, key, root);
  if (key === item) {
    const [first, ...others] = Array.isArray(at) ? at : [];
    return [withMember(inner, root, { at: first, keys: rest, value }), ...others];
  }
  const { examples: _, default: __, ...bare } = resolveSchema(schema, root);
  const [example] = bare.required === undefined ? examplesOf(resolveSchema(schema, root)).filter(isShort) : [];
  const filled =
    at === undefined && schema !== root && key !== anyName ? (example ?? fillSchema(bare, root)) : (at ?? {});
  const own = isJsonObject(filled) ? filled : {};
  const name = key === anyName ? (Object.keys(own)[0] ?? exampleName(schema, root)) : key;
  return { ...own, [name]: withMember(inner, root, { at: own[name], keys: rest, value }) };
};

const bySize = (a: Json, b: Json): number => JSON.stringify(a).length - JSON.stringify(b).length;

/**
 * Returns documents with a member, the likeliest first: those from the examples of its containers, outermost first, and of the
 * member itself.
 */
export const builtExamples = ({ keys, schema }: Pick<Member, 'keys' | 'schema'>, root: JsonObject): readonly Json[] => {
  let around = root;
  const outer = keys.slice(0, -1).flatMap((key, at) => {
    around = step(around, key, root);
    return examplesOf(resolveSchema(around, root))
      .filter((example) => hasMember(example, keys.slice(at + 1)))
      .map((value) => withMember(root, root, { at: undefined, keys: keys.slice(0, at + 1), value }))
      .sort(bySize);
  });
  const values = examplesOf(schema).length > 0 ? examplesOf(schema) : [exampleValue(schema, root)];
  return [...outer, ...values.map((value) => withMember(root, root, { at: undefined, keys, value }))];
};
