import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { type CompiledSchema, compileSchema, type SchemaError } from '../parameters/compile-schema.ts';
import type { ParameterSchema } from '../parameters/from-schema.ts';
import { memberNames } from '../parameters/to-options.ts';
import type { Guardrail } from './guardrail.ts';
import { parameterErrors } from './parameter-errors.ts';

/** The result of validating the parameters of a check. */
export interface ParameterFindings {
  /** Where the parameters do not match the schema. */
  readonly errors: readonly SchemaError[];
  /** The sentences that the check's `faults` returns for parameters that match the schema. */
  readonly ownErrors: readonly string[];
  /** A copy of all parameters, with defaults filled in. */
  readonly value: JsonObject;
  /** The parameters that the check is created with, without the members that every check accepts. */
  readonly own: JsonObject;
}

/** The members that every check accepts in addition to its own. */
export const commonParameters: { readonly [name: string]: ParameterSchema } = {
  failOnError: { type: 'boolean', description: 'Fail when the check itself fails.' },
  timeout: { type: 'integer', minimum: 1, description: 'Milliseconds.' },
  id: { type: 'string', description: 'The name that hook_results shows.' },
};

const schemas = new WeakMap<ParameterSchema, CompiledSchema>();

/** Returns the schema of a check's parameters, with the members that every check accepts. */
export const wholeParameters = (schema: ParameterSchema): ParameterSchema => ({
  type: 'object',
  ...schema,
  properties: { ...commonParameters, ...schema.properties },
});

/** Compiles the schema that a check's parameters must match: its own, closed, with the members that every check accepts. */
export const guardrailSchema = (schema: ParameterSchema): CompiledSchema => {
  const known = schemas.get(schema) ?? compileSchema(wholeParameters(schema));
  schemas.set(schema, known);
  return known;
};

/** Validates the parameters of a check as they appear in a config. Used by the compiler and by `testGuardrail`. */
export const guardrailParameters = (guardrail: Guardrail, parameters: JsonObject): ParameterFindings => {
  const { value, errors } = guardrailSchema(guardrail.parameters).validate(parameters);
  // The copy of an object is an object.
  const filled = isJsonObject(value as Json) ? (value as JsonObject) : {};
  const declared = new Set(memberNames(guardrail.parameters));
  const own = Object.fromEntries(
    Object.entries(filled).filter(([name]) => !Object.hasOwn(commonParameters, name) || declared.has(name)),
  );
  return { errors, ownErrors: errors.length > 0 ? [] : parameterErrors(guardrail, own), value: filled, own };
};
