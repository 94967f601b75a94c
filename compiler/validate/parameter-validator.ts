import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import type { ParameterSchema } from '../../plugins/sdk/from-schema.ts';
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts';
import type { JsonPointer } from '../../schema/pointer.ts';
import { compileRegex } from '../../schema/regex.ts';
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

/** Objects that list their members have no others, unless they say so. */
const closed = (schema: ParameterSchema): ParameterSchema => {
  const { properties, items, additionalProperties, anyOf } = schema;
  return {
    ...schema,
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, closed(member)])),
          additionalProperties: additionalProperties ?? false,
        }),
    ...(items === undefined ? {} : { items: closed(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(closed) }),
  };
};

const closedRoot = (schema: ParameterSchema, common: boolean): ParameterSchema => {
  const properties = { ...(common ? commonParameters : {}), ...schema.properties };
  return closed({ ...schema, type: 'object', properties });
};

const require = createRequire(import.meta.url);
let shared: Ajv | undefined;

const isRegex = (pattern: string): boolean => {
  try {
    compileRegex(pattern);
    return true;
  } catch {
    return false;
  }
};

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

const build = (schema: ParameterSchema, common: boolean): ParameterValidator => {
  const root = closedRoot(schema, common);
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

const checkValidators = new WeakMap<ParameterSchema, ParameterValidator>();
const optionValidators = new WeakMap<ParameterSchema, ParameterValidator>();

/** The validator of a plugin's schema, closed and made once: `check` also takes the members that every check has. */
export const parameterValidator = (schema: ParameterSchema, kind: 'check' | 'options'): ParameterValidator => {
  const made = kind === 'check' ? checkValidators : optionValidators;
  const validator = made.get(schema) ?? build(schema, kind === 'check');
  made.set(schema, validator);
  return validator;
};
