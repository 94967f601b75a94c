import type { ParameterSchema } from './from-schema.ts';
import { memberNames } from './to-options.ts';

/** A schema with the one keyword that `ParameterSchema` lacks, because it is added to every schema. */
type ClosedSchema = ParameterSchema & { readonly unevaluatedProperties?: false };

/** Returns the members that an object can have whichever alternative applies. */
const certainNames = ({ properties = {}, allOf = [] }: ParameterSchema): readonly string[] => [
  ...Object.keys(properties),
  ...allOf.flatMap(certainNames),
];

/** Closes everything inside a schema, and lets its options accept the members next to them. */
const closeInside = (schema: ParameterSchema, outer: readonly string[]): ParameterSchema => {
  const { properties, items, additionalProperties, anyOf, oneOf, allOf } = schema;
  const names = [...outer, ...certainNames(schema)];
  const option = (each: ParameterSchema): ParameterSchema => openOption(each, names);
  return {
    ...schema,
    ...(items !== undefined && { items: closeSchema(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: closeSchema(additionalProperties) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, closeSchema(each)])),
    }),
    ...(anyOf !== undefined && { anyOf: anyOf.map(option) }),
    ...(oneOf !== undefined && { oneOf: oneOf.map(option) }),
    ...(allOf !== undefined && { allOf: allOf.map(option) }),
  };
};

/** An option knows the members next to it, so that it can require them and does not reject them. */
const openOption = (schema: ParameterSchema, outer: readonly string[]): ParameterSchema => {
  const closed = closeInside(schema, outer);
  if (schema.required === undefined && schema.additionalProperties === undefined) return closed;
  return { ...closed, properties: { ...Object.fromEntries(outer.map((name) => [name, {}])), ...closed.properties } };
};

/** Closes a schema: every object that lists its members rejects others, unless the schema specifies otherwise. */
export const closeSchema = (schema: ParameterSchema): ClosedSchema => {
  const closed = closeInside(schema, []);
  const names = memberNames(schema);
  if (schema.properties === undefined && names.length === 0) return closed;
  const { properties = {}, additionalProperties = false, ...rest } = closed;
  if (additionalProperties !== false) return closed;
  // The members that an option lists are only accepted if the option applies.
  return names.every((name) => Object.hasOwn(properties, name))
    ? { ...rest, properties, additionalProperties }
    : { ...rest, properties, unevaluatedProperties: false };
};
