import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import type { compileSchema } from '../../sdk/parameters/compile-schema.ts';
import type { ParameterSchema } from '../../sdk/parameters/from-schema.ts';
import { schemaCheck } from '../../sdk/parameters/schema-check.ts';
import { toOptions } from '../../sdk/parameters/to-options.ts';

/** A schema inside another one, and its place. */
type PlacedSchema = readonly [place: string, schema: ParameterSchema];

const innerSchemas = (schema: ParameterSchema, place: string): readonly PlacedSchema[] => {
  const { properties = {}, items, additionalProperties } = schema;
  return [
    ...Object.entries(properties).map(([name, each]): PlacedSchema => [`${place}.properties.${name}`, each]),
    ...(items === undefined ? [] : [[`${place}.items`, items] as const]),
    ...(typeof additionalProperties === 'object'
      ? [[`${place}.additionalProperties`, additionalProperties] as const]
      : []),
    ...toOptions(schema).map((option): PlacedSchema => [place, option]),
  ];
};

/** A default that does not match its schema would be reported to the authors of configs, who did not write it. */
const defaultErrors = ({ default: given, ...schema }: ParameterSchema, place: string): readonly string[] => {
  if (given === undefined) return [];
  const verdict = schemaCheck(schema, given, { member: 'member', whole: 'it', otherwise: '' });
  const errors = verdict.kind === 'fits' ? [] : verdict.errors;
  return errors.map(({ message }) => `${place}.default does not match its schema: ${message.replace(/\.$/, '')}`);
};

/** References are not followed where defaults are filled in and secrets are found. */
const referenceErrors = (schema: ParameterSchema, place: string): readonly string[] =>
  Object.hasOwn(schema, '$ref') ? [`${place} has "$ref", which is not supported: write the schema itself there`] : [];

const innerErrors = (schema: ParameterSchema, place: string): readonly string[] => [
  ...referenceErrors(schema, place),
  ...defaultErrors(schema, place),
  ...innerSchemas(schema, place).flatMap(([at, each]) => innerErrors(each, at)),
];

/** Returns why a value is not a schema of parameters, options or settings, which are always objects. */
export const schemaErrors = (schema: unknown, owner: string, compile: typeof compileSchema): readonly string[] => {
  if (!isJsonObject(schema as Json | undefined)) return [];
  const given = schema as ParameterSchema;
  try {
    compile(given);
  } catch (error) {
    return [`${owner} is not a valid schema: ${errorText(error)}`];
  }
  if (given.type !== undefined && given.type !== 'object') return [`${owner} is not a schema of the type "object"`];
  return innerErrors(given, owner);
};
