import { isJsonObject, type Json, type JsonObject } from '../../schema/json/json.ts';

/** A member of a document, as its schema describes it. */
export interface Member {
  /** Its path, such as `strategy.conditions[].then`. `<name>` stands for any name. */
  readonly path: string;
  readonly keys: readonly string[];
  readonly schema: JsonObject;
  readonly isRequired: boolean;
  /** The path of another member with the same members, which are not repeated here. */
  readonly sameAs?: string;
}

/** The steps of a path that stand for any item of a list and for any name. */
export const item = '[]';
export const anyName = '<name>';

export const toPath = (keys: readonly string[]): string =>
  keys.reduce((path, key) => (key === item ? `${path}[]` : path === '' ? key : `${path}.${key}`), '');

const isRoot = (schema: JsonObject): boolean => schema.$ref === '#';

/**
 * Inlines the reference in `allOf` or `anyOf` if it is the only one: it describes a value together with the keywords next to
 * it.
 */
const unwrapped = (schema: JsonObject): JsonObject => {
  const { allOf, anyOf, ...own } = schema;
  const parts = [...(Array.isArray(allOf) ? allOf : []), ...(Array.isArray(anyOf) ? anyOf : [])].filter(isJsonObject);
  const [only, ...others] = parts.filter(({ $ref }) => $ref !== undefined);
  return only === undefined || others.length > 0 ? schema : { ...only, ...own };
};

/** Follows a reference of a schema. Keywords next to the reference take precedence. */
export const resolveSchema = (written: JsonObject, root: JsonObject): JsonObject => {
  const schema = unwrapped(written);
  const { $ref: reference, ...own } = schema;
  if (typeof reference !== 'string' || reference === '#') return schema;
  const { definitions } = root;
  const found = isJsonObject(definitions) ? definitions[reference.replace('#/definitions/', '')] : undefined;
  return isJsonObject(found) ? { ...found, ...own } : own;
};

interface Walk {
  readonly root: JsonObject;
  readonly members: Member[];
  /** Where each definition was first described. */
  readonly described: Map<string, string>;
}

const isDescribed = (schema: JsonObject): boolean => typeof schema.description === 'string';

/** Adds the members inside a schema: those of objects, of items, and of values under any name. */
const addWithin = (walk: Walk, keys: readonly string[], schema: JsonObject): void => {
  const { properties, additionalProperties, items, required } = schema;
  const needed: readonly Json[] = Array.isArray(required) ? required : [];
  if (isJsonObject(additionalProperties)) addMember(walk, [...keys, anyName], additionalProperties, false);
  if (isJsonObject(properties))
    for (const [key, member] of Object.entries(properties))
      if (isJsonObject(member)) addMember(walk, [...keys, key], member, needed.includes(key));
  if (isJsonObject(items)) addMember(walk, [...keys, item], items, false);
};

const addMember = (walk: Walk, keys: readonly string[], given: JsonObject, isRequired: boolean): void => {
  const { root, members, described } = walk;
  const written = unwrapped(given);
  const reference = typeof written.$ref === 'string' && !isRoot(written) ? written.$ref : undefined;
  const schema = resolveSchema(written, root);
  const path = toPath(keys);
  const sameAs = reference === undefined ? undefined : described.get(reference);
  // Items are described by their list, and so are values without a description.
  const isListed = keys.at(-1) !== item && (keys.at(-1) !== anyName || isDescribed(schema));
  if (isListed) members.push({ path, keys, schema, isRequired, ...(sameAs === undefined ? {} : { sameAs }) });
  if (sameAs !== undefined) return;
  if (reference !== undefined) described.set(reference, path);
  addWithin(walk, keys, schema);
};

/**
 * Lists the members of the documents that a schema describes, with the outermost ones in the given order: each before its own
 * members, and members of shared parts once.
 */
export const listMembers = (root: JsonObject, order: readonly string[]): readonly Member[] => {
  const walk: Walk = { root, members: [], described: new Map() };
  const { properties } = root;
  const place = (key: string): number => (order.includes(key) ? order.indexOf(key) : order.length);
  const entries = Object.entries(isJsonObject(properties) ? properties : {}).sort(([a], [b]) => place(a) - place(b));
  addWithin(walk, [], { ...root, properties: Object.fromEntries(entries) });
  return walk.members;
};

const literal = (value: Json): string => `\`${JSON.stringify(value)}\``;

const range = ({ minimum, maximum, exclusiveMinimum }: JsonObject): string =>
  [
    minimum === undefined ? [] : [`at least ${minimum}`],
    exclusiveMinimum === undefined ? [] : [`above ${exclusiveMinimum}`],
    maximum === undefined ? [] : [`at most ${maximum}`],
  ]
    .flat()
    .join(', ');

const size = (schema: JsonObject): string =>
  [
    schema.minItems === undefined ? [] : [`at least ${schema.minItems}`],
    schema.maxItems === undefined ? [] : [`at most ${schema.maxItems}`],
    schema.uniqueItems === true ? ['each once'] : [],
  ]
    .flat()
    .join(', ');

const length = ({ maxLength }: JsonObject): string =>
  maxLength === undefined ? '' : `at most ${maxLength} characters`;

const withRule = (name: string, rule: string): string => (rule === '' ? name : `${name} (${rule})`);

const typeName = (type: Json, schema: JsonObject, root: JsonObject): string => {
  if (type === 'array') {
    const items = isJsonObject(schema.items) ? typeText(schema.items, root) : 'anything';
    return withRule(`list of ${items}`, size(schema));
  }
  if (type === 'integer' || type === 'number') return withRule(String(type), range(schema));
  if (type === 'string') return withRule('string', length(schema));
  return String(type);
};

/** Describes the values that a member may have. */
export const typeText = (written: JsonObject, root: JsonObject): string => {
  if (isRoot(written)) return 'config';
  const schema = resolveSchema(written, root);
  const { enum: values, type } = schema;
  if (Array.isArray(values)) return `one of ${values.map(literal).join(', ')}`;
  if (Array.isArray(type)) return type.map((each) => typeName(each, schema, root)).join(' or ');
  if (type === undefined) return schema.properties === undefined ? 'any value' : 'object';
  return typeName(type, schema, root);
};
