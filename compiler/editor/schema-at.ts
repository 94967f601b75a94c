import { isJsonObject, type Json, type JsonObject } from '../../schema/json/json.ts';
import type { EditorPath } from './editor-document.ts';

const definitionPrefix = '#/definitions/';
/** The maximum depth of references and alternatives; our own schemas have less. */
const maxDepth = 20;

const objectAt = (schema: JsonObject, name: string): JsonObject | undefined => {
  const value = schema[name];
  return isJsonObject(value) ? value : undefined;
};

const listAt = (schema: JsonObject, name: string): readonly JsonObject[] => {
  const value = schema[name];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
};

/** Lists a schema with everything that it refers to and all of its alternatives, itself first. */
const alternatives = (root: JsonObject, schema: JsonObject, depth = 0): readonly JsonObject[] => {
  if (depth > maxDepth) return [];
  const { $ref: ref } = schema;
  if (typeof ref === 'string') {
    const found =
      ref === '#' ? root : objectAt(objectAt(root, 'definitions') ?? {}, ref.slice(definitionPrefix.length));
    return [schema, ...(found === undefined ? [] : alternatives(root, found, depth + 1))];
  }
  const branches = ['allOf', 'anyOf', 'oneOf'].flatMap((name) => listAt(schema, name));
  return [schema, ...branches.flatMap((branch) => alternatives(root, branch, depth + 1))];
};

const child = (schema: JsonObject, step: string | number): JsonObject | undefined => {
  if (typeof step === 'number') return objectAt(schema, 'items');
  const properties = objectAt(schema, 'properties') ?? {};
  return Object.hasOwn(properties, step) ? objectAt(properties, step) : objectAt(schema, 'additionalProperties');
};

/** Returns a more precise schema for a member than the one that it has; `undefined` to keep it. */
export type BetterSchema = (path: EditorPath) => JsonObject | undefined;

/** Returns the schemas for a path: all alternatives that may be meant there. */
export const schemasAt = (
  root: JsonObject,
  path: EditorPath,
  better: BetterSchema = () => undefined,
): readonly JsonObject[] => {
  let schemas = alternatives(root, root);
  path.forEach((step, at) => {
    const own = better(path.slice(0, at + 1));
    const children = schemas.map((schema) => child(schema, step)).filter((each) => each !== undefined);
    const found = own === undefined ? children : [own];
    schemas = found.flatMap((schema) => alternatives(own ?? root, schema));
  });
  return schemas;
};

/** Returns the members that an object at a place may have, with their schemas. */
export const membersOf = (schemas: readonly JsonObject[]): ReadonlyMap<string, JsonObject> => {
  const members = new Map<string, JsonObject>();
  for (const schema of schemas)
    for (const [name, member] of Object.entries(objectAt(schema, 'properties') ?? {}))
      if (isJsonObject(member) && !members.has(name)) members.set(name, member);
  return members;
};

/** Returns the values that the schemas list for a place: all that are allowed, or examples. */
export const valuesOf = (schemas: readonly JsonObject[]): readonly Json[] => {
  const values = schemas.flatMap((schema) => {
    const { enum: all, const: only, type, default: usual, examples } = schema;
    if (Array.isArray(all)) return all;
    if (only !== undefined) return [only];
    if (type === 'boolean') return [true, false];
    return [...(usual === undefined ? [] : [usual]), ...(Array.isArray(examples) ? examples : [])];
  });
  const texts = new Map(values.map((value) => [JSON.stringify(value), value]));
  return [...texts.values()];
};

/** Returns the description for a place; undefined if there is none. */
export const descriptionOf = (schemas: readonly JsonObject[]): string | undefined => {
  for (const { description } of schemas) if (typeof description === 'string') return description;
  return undefined;
};

/** Describes what a place may contain, its types and limits, in one line; undefined if its schemas do not specify any. */
export const boundsOf = (schemas: readonly JsonObject[]): string | undefined => {
  const schema = schemas.find(({ type, enum: all }) => type !== undefined || all !== undefined);
  if (schema === undefined) return undefined;
  const { type, enum: all, minimum, maximum, default: usual } = schema;
  const parts = [
    Array.isArray(all) ? all.map((value) => JSON.stringify(value)).join(' | ') : String(type),
    ...(typeof minimum === 'number' ? [`from ${minimum}`] : []),
    ...(typeof maximum === 'number' ? [`to ${maximum}`] : []),
    ...(usual === undefined ? [] : [`default ${JSON.stringify(usual)}`]),
  ];
  return parts.join(', ');
};
