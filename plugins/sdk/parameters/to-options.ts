import type { ParameterSchema } from './from-schema.ts';

/** Returns the additional schemas that apply to a value: the parts of `allOf` and the alternatives of `anyOf` and `oneOf`. */
export const toOptions = ({ anyOf = [], oneOf = [], allOf = [] }: ParameterSchema): readonly ParameterSchema[] => [
  ...anyOf,
  ...oneOf,
  ...allOf,
];

/** Returns the members that a schema lists for an object, including those of its options, each once. */
export const memberNames = (schema: ParameterSchema): readonly string[] => [
  ...new Set([...Object.keys(schema.properties ?? {}), ...toOptions(schema).flatMap(memberNames)]),
];
