/**
 * Writes the validators of the parameters of all first-party checks and providers as code, for platforms that do not allow code
 * generated from a schema. `--check` writes nothing and exits with 1 if the file is not up to date.
 */
import { Ajv, type AnySchemaObject } from 'ajv';
import { _ } from 'ajv/dist/compile/codegen/index.js';
import standalone from 'ajv/dist/standalone/index.js';
import unevaluated from 'ajv/dist/vocabularies/unevaluated/unevaluatedProperties.js';
import { validatorKey } from '../../compiler/plugin-catalogue/validator-key.ts';
import { builtinPlugins } from '../../plugins/builtin.ts';
import { wholeParameters } from '../../plugins/sdk/guardrail/guardrail-parameters.ts';
import { closeSchema } from '../../plugins/sdk/parameters/close-schema.ts';
import { schemaRules } from '../../plugins/sdk/parameters/compile-schema.ts';
import { formats } from '../../plugins/sdk/parameters/text-formats.ts';
import { inlineHelpers, joinInPlace, minified } from '../../schema/standalone-code.ts';
import { writeGenerated } from './write-generated.ts';

const schemas = builtinPlugins.flatMap(({ guardrails = [], providers = [] }) => [
  ...guardrails.map(({ parameters }) => wholeParameters(parameters)),
  ...providers.flatMap(({ ownSettings }) => ownSettings ?? []),
]);

const ajv = new Ajv({
  ...schemaRules,
  messages: true,
  code: { source: true, esm: true, optimize: 2, formats: _`formats` },
});
ajv.addKeyword(unevaluated.default);
for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format);
const keys = new Map<string, string>();
for (const schema of schemas) {
  const closed = closeSchema(schema);
  const key = validatorKey(closed);
  if (keys.has(key)) continue;
  const name = `validate_${key}`;
  keys.set(key, name);
  ajv.addSchema(closed as AnySchemaObject, name);
}
const exported = Object.fromEntries([...keys.values()].map((name) => [name, name]));
const code = joinInPlace(inlineHelpers(standalone.default(ajv, exported)))
  .replace('"use strict";', '')
  .replaceAll(/export const (\w+) = (\w+);/g, 'const $1 = $2;');
if (code.includes('require(')) throw new Error('The validators ask for a helper that is not inlined.');
if (code.includes('.concat(')) throw new Error('The validators copy lists of errors.');

writeGenerated(
  'compiler/editor/generated/parameter-validators.ts',
  `// @ts-nocheck: this is Ajv's standalone code, with types only on what it exports.
// Made from the schemas of checks and providers by tools/generate/generate-validators.ts (npm run generate); do not edit.
import type { SchemaValidator } from '../../../plugins/sdk/parameters/compile-schema.ts';
import { formats } from '../../../plugins/sdk/parameters/text-formats.ts';
import { isSameJson } from '../../../schema/json/is-same-json.ts';
import { joined } from '../../../schema/json-schema/joined.ts';

/** The validators by the keys of their closed schemas. */
export const generatedValidators: () => { readonly [key: string]: SchemaValidator } = () => ({
${[...keys].map(([key, name]) => `  '${key}': ${name},\n`).join('')}});

// The rest is what Ajv writes for those schemas, minified, with a line for each declaration.
${minified(code)}`,
);
