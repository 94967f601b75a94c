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

/** An error of a value, in the validator's own words where there are no better ones. */
export interface SchemaError extends ShapeError {
  readonly message?: string;
  /** The value that is of a wrong type. */
  readonly found?: Json | undefined;
}

/** The results of a schema for a value. */
export interface SchemaFindings {
  /** A copy of the value with its defaults filled in. */
  readonly value: unknown;
  readonly errors: readonly SchemaError[];
}

/** A schema as a function. */
export interface CompiledSchema {
  /** Never changes the value it is given. */
  validate(value: unknown): SchemaFindings;
  /** The members that an object may have, by the schema path of the rule against others. */
  keysAt(schemaPath: string): readonly string[];
  /** The member of such an object that is an object and lists another name itself. */
  holderOf(schemaPath: string, name: string): string | undefined;
}

export interface SchemaOptions {
  /** Whether it is known to be a schema; false if absent. */
  readonly isValid?: boolean;
}

let shared: Ajv | undefined;

/** The rules by which schemas of parameters are compiled. */
export const schemaRules = {
  allErrors: true,
  useDefaults: true,
  strict: true,
  strictTypes: false,
  inlineRefs: false,
  unevaluated: true,
} as const;

/** Loaded when the first schema is met, so that configs and plugins without one cost nothing. */
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

/** Of more findings than anyone reads the rest is left out: what groups them compares each with all others. */
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

/** Code that was made of a closed schema: fills in defaults, and notes what does not fit, as Ajv does. */
export type SchemaValidator = ((value: unknown) => boolean) & { errors?: readonly ErrorObject[] | null };

/** Says of everything that it fits: code cannot be made of a schema where that is forbidden, as in a browser. */
const unknown: SchemaValidator = () => true;

let prepared: (closed: ParameterSchema) => SchemaValidator | undefined = () => undefined;

/** Gives the validators that were made before, for where no code may be made of a text. */
export const prepareValidators = (find: typeof prepared): void => {
  prepared = find;
};

/** Whether values can be compared with a schema here. */
export const canValidate = (schema: ParameterSchema): boolean =>
  hasRequire || prepared(closeSchema(schema)) !== undefined;

/** Makes code of a schema. That of all schemas, with which others are compared first, takes as long as several of them. */
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
  /** The member of an alternative that does not hold for another reason, which is reported. */
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

/** The schema, closed, as a function; made once. Throws an `Error` where the schema itself is not one. */
export const compileSchema = (schema: ParameterSchema, options: SchemaOptions = {}): CompiledSchema => {
  const made = compiled.get(schema) ?? build(schema, options);
  compiled.set(schema, made);
  return made;
};
