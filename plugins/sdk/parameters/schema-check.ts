import { withoutAlternatives } from '../../../schema/json-schema/alternatives.ts';
import { compileSchema } from './compile-schema.ts';
import type { ParameterSchema } from './from-schema.ts';
import { type SchemaFault, type SchemaMessage, schemaFault } from './schema-fault.ts';

/** A value with its defaults filled in, or what is wrong with it. */
export type SchemaVerdict =
  | { readonly kind: 'fits'; readonly value: unknown }
  | { readonly kind: 'faults'; readonly faults: readonly SchemaFault[] };

/** Whether a value fits a schema, closed; the value is never changed. Throws an `Error` where the schema is not one. */
export const schemaCheck = (schema: ParameterSchema, given: unknown, words?: SchemaMessage): SchemaVerdict => {
  const { validate, keysAt } = compileSchema(schema);
  const { value, errors } = validate(given);
  if (errors.length === 0) return { kind: 'fits', value };
  return { kind: 'faults', faults: withoutAlternatives(errors).map((error) => schemaFault(error, keysAt, words)) };
};
