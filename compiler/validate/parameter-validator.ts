import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import type { ParameterSchema } from '../../plugins/sdk/from-schema.ts';
import { closeSchema } from '../../plugins/sdk/parameters/close-schema.ts';
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts';
import type { JsonPointer } from '../../schema/pointer.ts';
import { isRegex } from '../../schema/regex.ts';
import type { ShapeError } from '../../schema/shape-error.ts';

/** What a plugin's schema says of some parameters. */
export interface ParameterVerdict {
  readonly errors: readonly ShapeError[];
  /** The parameters with their defaults filled in; a copy. */
  readonly value: JsonObject;
  readonly keysAt: (schemaPath: string) => readonly string[];
}

export type ParameterValidator = (parameters: JsonObject) => ParameterVerdict;

/** The members that every check takes beside its own. */
export const commonParameters: { readonly [name: string]: ParameterSchema } = {
  failOnError: { type: 'boolean', description: 'Fail when the check itself fails.' },
  timeout: { type: 'integer', minimum: 1, description: 'Milliseconds.' },
  id: { type: 'string', description: 'The name that hook_results shows.' },
};

/** The schema as a check's parameters must fit it: closed, with the members that every check has. */
const closedRoot = (schema: ParameterSchema): ParameterSchema =>
  closeSchema({ ...schema, type: 'object', properties: { ...commonParameters, ...schema.properties } });

const require = createRequire(import.meta.url);
let shared: Ajv | undefined;

/** Loaded when the first plugin schema is met: most configs have none. */
const ajv = (): Ajv => {
  if (shared !== undefined) return shared;
  const loaded: { Ajv: typeof Ajv } = require('ajv');
  shared = new loaded.Ajv({ allErrors: true, useDefaults: true, messages: false, strict: false, inlineRefs: false });
  shared.addFormat('regex', isRegex);
  shared.addFormat('uri', (text) => URL.canParse(text));
  return shared;
};

const schemaAt = (root: ParameterSchema, path: string): Json | undefined => {
  let value: unknown = root;
  for (const token of path.split('/').slice(1, -1))
    value = isJsonObject(value)
      ? value[token.replaceAll('~1', '/').replaceAll('~0', '~')]
      : Array.isArray(value)
        ? value[Number(token)]
        : undefined;
  return value as Json | undefined;
};

const toShapeError = ({ keyword, instancePath, schemaPath, params }: ErrorObject): ShapeError => ({
  keyword,
  // Ajv writes paths as JSON pointers.
  instancePath: instancePath as JsonPointer,
  schemaPath,
  params,
});

const build = (schema: ParameterSchema): ParameterValidator => {
  const root = closedRoot(schema);
  const validate: ValidateFunction = ajv().compile(root);
  const keysAt = (schemaPath: string): readonly string[] => {
    const object = schemaAt(root, schemaPath);
    return isJsonObject(object) && isJsonObject(object.properties) ? Object.keys(object.properties) : [];
  };
  return (parameters) => {
    const value: JsonObject = structuredClone(parameters);
    validate(value);
    return { errors: (validate.errors ?? []).map(toShapeError), value, keysAt };
  };
};

const validators = new WeakMap<ParameterSchema, ParameterValidator>();

/** The validator of a check's schema, made once. */
export const parameterValidator = (schema: ParameterSchema): ParameterValidator => {
  const validator = validators.get(schema) ?? build(schema);
  validators.set(schema, validator);
  return validator;
};
