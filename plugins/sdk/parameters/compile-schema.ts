import type { Ajv, ErrorObject, KeywordDefinition } from 'ajv';
import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import { valueAt } from '../../../schema/json/look-up.ts';
import { fromPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import type { ShapeError } from '../../../schema/json-schema/shape-error.ts';
import { hasRequire, requireModule } from '../../../schema/modules/require-module.ts';
import { closeSchema } from './close-schema.ts';
import type { ParameterSchema } from './from-schema.ts';
import { formats } from './text-formats.ts';
import { memberNames } from './to-options.ts';

/** An error in a value, with the validator's own message if there is no better one. */
export interface SchemaError extends ShapeError {
  readonly message?: string;
  /** The value that has a wrong type. */
  readonly found?: Json | undefined;
}

/** The result of validating a value. */
export interface SchemaFindings {
  /** A copy of the value with its defaults filled in. */
  readonly value: unknown;
  readonly errors: readonly SchemaError[];
}

/** A schema as a function. */
export interface CompiledSchema {
  /** Validates a value, without changing it. */
  validate(value: unknown): SchemaFindings;
  /** Returns the members that an object may have, by the schema path of the rule that rejects others. */
  keysAt(schemaPath: string): readonly string[];
  /** Returns the member of such an object that is an object and itself lists the name. */
  holderOf(schemaPath: string, name: string): string | undefined;
}

export interface SchemaOptions {
  /** Whether it is known to be a valid schema; false if absent. */
  readonly isValid?: boolean;
}

let shared: Ajv | undefined;

/** The options with which schemas of parameters are compiled. */
export const schemaRules = {
  allErrors: true,
  useDefaults: true,
  strict: true,
  strictTypes: false,
  inlineRefs: false,
  unevaluated: true,
} as const;

/** Loaded when the first schema is compiled, so that configs and plugins without schemas do not pay for it. */
const ajv = (): Ajv => {
  if (shared !== undefined) return shared;
  const loaded = requireModule('ajv') as { readonly Ajv: typeof Ajv };
  const unevaluated = requireModule('ajv/dist/vocabularies/unevaluated/unevaluatedProperties.js') as {
    readonly default: KeywordDefinition;
  };
  shared = new loaded.Ajv({ ...schemaRules, validateSchema: false });
  shared.addKeyword(unevaluated.default);
  for (const [name, format] of Object.entries(formats)) shared.addFormat(name, format);
  return shared;
};

/** Further errors are omitted: nobody reads that many, and grouping them compares each with all others. */
const maxErrors = 1000;

const schemaAt = (root: ParameterSchema, schemaPath: string): ParameterSchema => {
  let value: unknown = root;
  for (const token of fromPointer(schemaPath.slice(1) as JsonPointer).slice(0, -1))
    value =
      typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[token] : undefined;
  return isJsonObject(value as Json | undefined) ? (value as ParameterSchema) : {};
};

const toSchemaError = (
  { keyword, instancePath, schemaPath, params, message }: ErrorObject,
  value: unknown,
): SchemaError => ({
  // Ajv writes paths as JSON pointers.
  instancePath: instancePath as JsonPointer,
  ...(keyword === 'type' && { found: valueAt(value as Json, fromPointer(instancePath as JsonPointer)) }),
  schemaPath,
  ...(message !== undefined && { message }),
  ...(keyword === 'unevaluatedProperties'
    ? { keyword: 'additionalProperties', params: { additionalProperty: params.unevaluatedProperty } }
    : { keyword, params }),
});

/** Code generated from a closed schema. Fills in defaults, and records errors as Ajv does. */
export type SchemaValidator = ((value: unknown) => boolean) & { errors?: readonly ErrorObject[] | null };

/** Accepts everything. Used where code generation is forbidden, as in a browser. */
const unknown: SchemaValidator = () => true;

let prepared: (closed: ParameterSchema) => SchemaValidator | undefined = () => undefined;

/** Sets the precompiled validators, for environments in which code cannot be generated. */
export const prepareValidators = (find: typeof prepared): void => {
  prepared = find;
};

/** Whether values can be validated against a schema here. */
export const canValidate = (schema: ParameterSchema): boolean =>
  hasRequire || prepared(closeSchema(schema)) !== undefined;

/**
 * Generates code from a schema. Validating the schema first requires code for the schema of all schemas, which takes as long to
 * generate as several schemas.
 */
const toCode = (closed: ParameterSchema, { isValid = false }: SchemaOptions): SchemaValidator => {
  const compiler = ajv();
  if (!isValid) compiler.validateSchema(closed, true);
  return compiler.compile(closed);
};

const toValidator = (closed: ParameterSchema, options: SchemaOptions): SchemaValidator =>
  prepared(closed) ?? (hasRequire ? toCode(closed, options) : unknown);

const build = (schema: ParameterSchema, options: SchemaOptions): CompiledSchema => {
  const closed = closeSchema(schema);
  const validate = toValidator(closed, options);
  const keysAt = (schemaPath: string): readonly string[] => memberNames(schemaAt(closed, schemaPath));
  /** Whether the error is about a member of an alternative that does not apply for another reason, which is reported. */
  const isKnown = (
    { instancePath, schemaPath, params, keyword }: ErrorObject,
    errors: readonly ErrorObject[],
  ): boolean =>
    keyword === 'unevaluatedProperties' &&
    keysAt(schemaPath).includes(params.unevaluatedProperty) &&
    errors.some((error) => ['anyOf', 'oneOf'].includes(error.keyword) && error.instancePath === instancePath);
  return {
    validate: (given) => {
      const value: unknown = structuredClone(given);
      validate(value);
      const errors = (validate.errors ?? []).slice(0, maxErrors);
      return {
        value,
        errors: errors.filter((error) => !isKnown(error, errors)).map((error) => toSchemaError(error, value)),
      };
    },
    keysAt,
    holderOf: (schemaPath, name) =>
      Object.entries(schemaAt(closed, schemaPath).properties ?? {}).find(([, member]) =>
        Object.hasOwn(member.properties ?? {}, name),
      )?.[0],
  };
};

const compiled = new WeakMap<ParameterSchema, CompiledSchema>();

/** Compiles a schema after closing it. Each schema is compiled once. Throws an `Error` if the schema itself is invalid. */
export const compileSchema = (schema: ParameterSchema, options: SchemaOptions = {}): CompiledSchema => {
  const made = compiled.get(schema) ?? build(schema, options);
  compiled.set(schema, made);
  return made;
};
