import type { ParameterSchema } from '../from-schema.ts';

/** The schema with every object that lists its properties closed to others, unless the schema says otherwise. */
export const closeSchema = (schema: ParameterSchema): ParameterSchema => {
  const { properties, items, anyOf, additionalProperties } = schema;
  return {
    ...schema,
    ...(items !== undefined && { items: closeSchema(items) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map(closeSchema) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: closeSchema(additionalProperties) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, closeSchema(each)])),
      additionalProperties:
        typeof additionalProperties === 'object' ? closeSchema(additionalProperties) : (additionalProperties ?? false),
    }),
  };
};
