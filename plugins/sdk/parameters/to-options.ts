import type { ParameterSchema } from './from-schema.ts';

/** The schemas that a value is held against beside its own: the parts of `allOf`, the alternatives of the others. */
export const toOptions = ({ anyOf = [], oneOf = [], allOf = [] }: ParameterSchema): readonly ParameterSchema[] => [
  ...anyOf,
  ...oneOf,
  ...allOf,
];

/** The members that a schema lists for an object, those of its options as well; each once. */
export const memberNames = (schema: ParameterSchema): readonly string[] => [
  ...new Set([...Object.keys(schema.properties ?? {}), ...toOptions(schema).flatMap(memberNames)]),
];
