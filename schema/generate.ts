import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv, type AnySchemaObject } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { isJsonObject, type Json, type JsonObject } from './json/json.ts';
import { inlineHelpers, joinInPlace, minified } from './standalone-code.ts';

/**
 * Writes `schema/generated` from the JSON schemas: a type, a validator and the keys of objects for each. `--check` writes nothing
 * and exits with 1 if a file is not up to date.
 */
const schemas = [
  {
    file: 'config.schema.json',
    type: 'config',
    name: 'Config',
    validator: 'validate-config',
    function: 'validateConfig',
    keys: 'configKeys',
    keysFile: 'config-keys',
  },
  {
    file: 'gateway.schema.json',
    type: 'gateway-file',
    name: 'GatewayFile',
    validator: 'validate-gateway-file',
    function: 'validateGatewayFile',
    keys: 'gatewayFileKeys',
    keysFile: 'gateway-file-keys',
  },
  {
    file: 'route-test.schema.json',
    type: 'route-test-file',
    name: 'RouteTestFile',
    validator: 'validate-route-test-file',
    function: 'validateRouteTestFile',
    keys: 'routeTestFileKeys',
    keysFile: 'route-test-file-keys',
  },
] as const;

type SchemaEntry = (typeof schemas)[number];

const root: URL = new URL('..', import.meta.url);
const biome: string = fileURLToPath(new URL('node_modules/.bin/biome', root));

const header = (source: string): string =>
  `// Made from schema/${source} by schema/generate.ts (npm run generate); do not edit.\n`;

/** Rewrites parts of a JSON Schema that TypeScript expresses differently: a union of types, an open object. */
const forTypes = (schema: Json): Json => {
  if (Array.isArray(schema)) return schema.map(forTypes);
  if (!isJsonObject(schema)) return schema;
  const isRule = (key: string): boolean =>
    key === 'anyOf' || (schema.if !== undefined && (key === 'if' || key === 'then'));
  const kept = Object.entries(schema).filter(([key]) => !isRule(key));
  const walked: JsonObject = Object.fromEntries(kept.map(([key, value]) => [key, forTypes(value)]));
  if (Array.isArray(walked.type)) {
    const { type, title, description, ...object } = walked;
    return {
      title: title ?? '',
      description: description ?? '',
      anyOf: [
        ...type.filter((each) => each !== 'object').map((each) => ({ type: each })),
        { ...object, type: 'object' },
      ],
    };
  }
  if (walked.type !== 'object') return walked;
  const { properties, additionalProperties } = walked;
  if (properties === undefined && additionalProperties === undefined) return { ...walked, tsType: 'JsonObject' };
  return isJsonObject(additionalProperties) && properties !== undefined
    ? { ...walked, additionalProperties: true }
    : walked;
};

/** Returns the schema without the members for editors. */
const forValidation = (schema: Json): Json => {
  if (Array.isArray(schema)) return schema.map(forValidation);
  if (!isJsonObject(schema)) return schema;
  const isNote = (key: string, value: Json): boolean =>
    (['title', 'description', '$schema'].includes(key) && typeof value === 'string') ||
    (key === 'examples' && Array.isArray(value)) ||
    (key === 'default' && !isJsonObject(value));
  const kept = Object.entries(schema).filter(([key, value]) => !isNote(key, value));
  return Object.fromEntries(kept.map(([key, value]) => [key, forValidation(value)]));
};

/** Formats code like the other files of the project. */
const pretty = (code: string): string =>
  execFileSync(biome, ['format', '--stdin-file-path=schema/made.ts'], { input: code, encoding: 'utf8', cwd: root });

const toTypes = async ({ file, name }: SchemaEntry, schema: JsonObject): Promise<string> => {
  const types = await compile(forTypes(schema) as JSONSchema, name, {
    bannerComment: `${header(file)}import type { JsonObject } from '../json/json.ts';`,
  });
  return pretty(types);
};

/** Collects the keys of each closed object, by its place: `/strategy/conditions/*` for the items of a list. */
const closedObjects = (schema: Json | undefined, definitions: JsonObject, place: string): readonly Closed[] => {
  if (!isJsonObject(schema)) return [];
  const { $ref: reference, additionalProperties, properties, items } = schema;
  if (typeof reference === 'string')
    return reference === '#'
      ? []
      : closedObjects(definitions[reference.replace('#/definitions/', '')], definitions, place);
  const members = isJsonObject(properties) ? Object.entries(properties) : [];
  return [
    ...(additionalProperties === false ? [[place, members.map(([key]) => key)] as const] : []),
    ...members.flatMap(([key, member]) => closedObjects(member, definitions, `${place}/${key}`)),
    ...closedObjects(additionalProperties, definitions, `${place}/*`),
    ...closedObjects(items, definitions, `${place}/*`),
  ];
};

/** Separate from the validator, which is long, so that code that only looks up keys need not load it. */
const toKeys = ({ file, keys }: SchemaEntry, schema: JsonObject): string => {
  const { definitions } = schema;
  const places = closedObjects(schema, isJsonObject(definitions) ? definitions : {}, '');
  return pretty(`${header(file)}
/** The keys of each closed object, by its place: what \`schemaPath\` of an \`additionalProperties\` error is. */
export const ${keys}: { readonly [place: string]: readonly string[] } = ${JSON.stringify(Object.fromEntries(places))};
`);
};

type Closed = readonly [place: string, keys: readonly string[]];

const toValidator = (entry: SchemaEntry, schema: JsonObject): string => {
  const ajv = new Ajv({
    allErrors: true,
    messages: false,
    strict: false,
    inlineRefs: false,
    code: { source: true, esm: true, optimize: 2 },
  });
  const validate = ajv.compile(forValidation(schema) as AnySchemaObject);
  const code = joinInPlace(inlineHelpers(standalone.default(ajv, validate)));
  if (code.includes('require('))
    throw new Error(`The validator of ${entry.file} asks for a helper that is not inlined.`);
  if (code.includes('.concat(')) throw new Error(`The validator of ${entry.file} copies lists of errors.`);
  const exported = /export const validate = (\w+);export default \w+;/.exec(code);
  if (exported === null) throw new Error('The standalone code has another shape.');
  const functions = minified(code.replace(exported[0], '').replace('"use strict";', ''));
  const typed = pretty(`import { closedPlaceFinder } from '../json-schema/closed-place-finder.ts';
${functions.includes('joined(') ? "import { joined } from '../json-schema/joined.ts';\n" : ''}import type { ShapeError } from '../json-schema/shape-error.ts';
import { ${entry.keys} } from './${entry.keysFile}.ts';

const closedPlace = closedPlaceFinder(Object.keys(${entry.keys}));

/** Lists what is wrong with the shape of a value; nothing where it fits. */
export const ${entry.function}: (value: unknown) => readonly ShapeError[] = (value) =>
  ${exported[1]}(value)
    ? []
    : ${exported[1]}.errors.map((error) =>
        error.keyword === 'additionalProperties'
          ? { ...error, schemaPath: closedPlace(error.instancePath) ?? '' }
          : error,
      );
`);
  return `// @ts-nocheck: this is Ajv's standalone code, with types only on what it exports.
${header(entry.file)}${typed}
// The rest is what Ajv writes for that schema, minified, with a line for each declaration.
${functions}`;
};

const generate = async (): Promise<ReadonlyMap<string, string>> => {
  const files = new Map<string, string>();
  for (const entry of schemas) {
    const schema: JsonObject = JSON.parse(readFileSync(new URL(entry.file, import.meta.url), 'utf8'));
    files.set(`generated/${entry.type}.ts`, await toTypes(entry, schema));
    files.set(`generated/${entry.validator}.ts`, toValidator(entry, schema));
    files.set(`generated/${entry.keysFile}.ts`, toKeys(entry, schema));
  }
  return files;
};

const read = (name: string): string | undefined => {
  try {
    return readFileSync(new URL(name, import.meta.url), 'utf8');
  } catch {
    return undefined;
  }
};

const files = await generate();
const stale = [...files].filter(([name, text]) => read(name) !== text);
if (process.argv.includes('--check')) {
  for (const [name] of stale)
    process.stderr.write(`schema/${name} is not what its schema says; run npm run generate.\n`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  for (const [name, text] of stale) writeFileSync(new URL(name, import.meta.url), text);
}
