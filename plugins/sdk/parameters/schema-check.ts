import { createRequire } from 'node:module';
import type { Ajv as AjvClass } from 'ajv';
import { isRegex } from '../../../schema/regex.ts';
import type { ParameterSchema } from '../from-schema.ts';
import { closeSchema } from './close-schema.ts';
import { type SchemaFault, schemaFault } from './schema-fault.ts';

/** A value with its defaults filled in, or what is wrong with it. */
export type SchemaVerdict =
  | { readonly kind: 'fits'; readonly value: unknown }
  | { readonly kind: 'faults'; readonly faults: readonly SchemaFault[] };

export type SchemaCheck = (value: unknown) => SchemaVerdict;

/** By schema: each is used when its plugin is loaded, and again for each use of the plugin. */
const checks = new WeakMap<ParameterSchema, SchemaCheck>();

const require = createRequire(import.meta.url);

const createAjv = (): AjvClass => {
  const { Ajv }: { Ajv: typeof AjvClass } = require('ajv');
  const ajv = new Ajv({ allErrors: true, verbose: true, useDefaults: true, strict: true, strictTypes: false });
  ajv.addFormat('regex', isRegex);
  ajv.addFormat('uri', URL.canParse);
  return ajv;
};

/**
 * The closed schema as a function, which never changes its input. Throws an `Error` if the schema itself is not valid.
 * The validator is loaded on first use, so that plugins without options cost nothing.
 */
export const schemaCheck = (schema: ParameterSchema): SchemaCheck => {
  const known = checks.get(schema);
  if (known !== undefined) return known;
  const validate = createAjv().compile(closeSchema(schema));
  const check: SchemaCheck = (value) => {
    const copy = structuredClone(value);
    if (validate(copy)) return { kind: 'fits', value: copy };
    return { kind: 'faults', faults: (validate.errors ?? []).map(schemaFault) };
  };
  checks.set(schema, check);
  return check;
};
