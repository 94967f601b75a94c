import type { ParameterSchema } from './from-schema.ts';
import { memberNames } from './to-options.ts';

/** The schema with the one keyword that `ParameterSchema` lacks, since it is added to every schema. */
type ClosedSchema = ParameterSchema & { readonly unevaluatedProperties?: false };

/** The members of an object whichever alternative it is meant for. */
const certainNames = ({ properties = {}, allOf = [] }: ParameterSchema): readonly string[] => [
  ...Object.keys(properties),
  ...allOf.flatMap(certainNames),
];

/** The schema with everything inside it closed, and the options of its own value open to the members beside them. */
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

/** An option knows the members beside it, so that it may require them, and does not refuse them. */
const openOption = (schema: ParameterSchema, outer: readonly string[]): ParameterSchema => {
  const closed = closeInside(schema, outer);
  if (schema.required === undefined && schema.additionalProperties === undefined) return closed;
  return { ...closed, properties: { ...Object.fromEntries(outer.map((name) => [name, {}])), ...closed.properties } };
};

/** The schema with every object that lists its members closed to others, unless the schema says otherwise. */
export const closeSchema = (schema: ParameterSchema): ClosedSchema => {
  const closed = closeInside(schema, []);
  const names = memberNames(schema);
  if (schema.properties === undefined && names.length === 0) return closed;
  const { properties = {}, additionalProperties = false, ...rest } = closed;
  if (additionalProperties !== false) return closed;
  // What an option lists is a member only where the option holds.
  return names.every((name) => Object.hasOwn(properties, name))
    ? { ...rest, properties, additionalProperties }
    : { ...rest, properties, unevaluatedProperties: false };
};
