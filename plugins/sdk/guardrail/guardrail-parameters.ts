import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { type CompiledSchema, compileSchema, type SchemaError } from '../parameters/compile-schema.ts';
import type { ParameterSchema } from '../parameters/from-schema.ts';
import { memberNames } from '../parameters/to-options.ts';
import type { Guardrail } from './guardrail.ts';
import { parameterErrors } from './parameter-errors.ts';

/** The results of a check's description of its parameters. */
export interface ParameterFindings {
  /** Where they do not fit its schema. */
  readonly errors: readonly SchemaError[];
  /** The sentences of its `faults` about parameters that fit. */
  readonly ownErrors: readonly string[];
  /** All of them, with their defaults filled in; a copy. */
  readonly value: JsonObject;
  /** Those that the check is created with: without the members that every check takes. */
  readonly own: JsonObject;
}

/** The members that every check takes beside its own. */
export const commonParameters: { readonly [name: string]: ParameterSchema } = {
  failOnError: { type: 'boolean', description: 'Fail when the check itself fails.' },
  timeout: { type: 'integer', minimum: 1, description: 'Milliseconds.' },
  id: { type: 'string', description: 'The name that hook_results shows.' },
};

const schemas = new WeakMap<ParameterSchema, CompiledSchema>();

/** The schema of a check's parameters with the members that every check takes. */
export const wholeParameters = (schema: ParameterSchema): ParameterSchema => ({
  type: 'object',
  ...schema,
  properties: { ...commonParameters, ...schema.properties },
});

/** The schema that a check's parameters must fit: its own, closed, with the members that every check takes. */
export const guardrailSchema = (schema: ParameterSchema): CompiledSchema => {
  const known = schemas.get(schema) ?? compileSchema(wholeParameters(schema));
  schemas.set(schema, known);
  return known;
};

/** Judges the parameters of a check as a config writes them; the compiler and `testGuardrail` both ask this. */
export const guardrailParameters = (guardrail: Guardrail, parameters: JsonObject): ParameterFindings => {
  const { value, errors } = guardrailSchema(guardrail.parameters).validate(parameters);
  // A copy of an object is one.
  const filled = isJsonObject(value as Json) ? (value as JsonObject) : {};
  const declared = new Set(memberNames(guardrail.parameters));
  const own = Object.fromEntries(
    Object.entries(filled).filter(([name]) => !Object.hasOwn(commonParameters, name) || declared.has(name)),
  );
  return { errors, ownErrors: errors.length > 0 ? [] : parameterErrors(guardrail, own), value: filled, own };
};
