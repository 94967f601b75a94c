import { relevantErrors } from '../../../schema/json-schema/alternatives.ts';
import { compileSchema, type SchemaOptions } from './compile-schema.ts';
import type { ParameterSchema } from './from-schema.ts';
import { type SchemaMessage, type SchemaReason, schemaError, withoutMeant } from './schema-error.ts';

/** A value with its defaults filled in, or the errors in it. */
export type SchemaVerdict =
  | { readonly kind: 'fits'; readonly value: unknown }
  | { readonly kind: 'errors'; readonly errors: readonly SchemaReason[] };

/** Validates values against a closed schema, without changing them. Throws an `Error` if the schema itself is invalid. */
export const schemaCheck = (
  schema: ParameterSchema,
  given: unknown,
  words?: SchemaMessage,
  options?: SchemaOptions,
): SchemaVerdict => {
  const compiled = compileSchema(schema, options);
  const { value, errors } = compiled.validate(given);
  if (errors.length === 0) return { kind: 'fits', value };
  const found = withoutMeant(relevantErrors(errors), compiled);
  return { kind: 'errors', errors: found.map((error) => schemaError(error, compiled, words)) };
};
