/**
 * Copies the schemas of the gateway file and of configs into the chart's `values.schema.json`, so that Helm refuses what the pod
 * would refuse, and secrets that are not references. The rest of that file is written by hand. `--check` writes nothing and
 * exits with 1 if the file is not up to date.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '../../schema/json/json.ts';
import { writeGenerated } from '../../tools/generate/write-generated.ts';
import { chartFolder } from './manifest-sets.ts';
import { withReferencesOnly } from './secret-members.ts';

const root = path.join(import.meta.dirname, '../..');

const readObject = (file: string): JsonObject => {
  const read: Json = JSON.parse(readFileSync(file, 'utf8'));
  if (!isJsonObject(read)) throw new Error(`${file} is not an object.`);
  return read;
};

const objectAt = (object: JsonObject, member: string): JsonObject => {
  const { [member]: value } = object;
  if (!isJsonObject(value)) throw new Error(`The schema has no object ${member}.`);
  return value;
};

/** Whether a member is a pattern that Helm cannot compile: Go's regular expressions have no look-ahead. */
const isUnsupportedByGo = (key: string, value: Json): boolean => key === 'pattern' && /\(\?[!=]/.test(String(value));

/** Rewrites a schema as a definition of another: its references lead to definitions whose names start with its own. */
const embedded = (schema: Json, name: string): Json => {
  if (Array.isArray(schema)) return schema.map((each) => embedded(each, name));
  if (!isJsonObject(schema)) return schema;
  const kept = Object.entries(schema).filter(
    ([key, value]) => !(key === 'examples' && Array.isArray(value)) && !isUnsupportedByGo(key, value),
  );
  return Object.fromEntries(
    kept.map(([key, value]) => {
      if (key !== '$ref' || typeof value !== 'string') return [key, embedded(value, name)];
      return [key, value === '#' ? `#/definitions/${name}` : value.replace('#/definitions/', `#/definitions/${name}_`)];
    }),
  );
};

const definitionsOf = (file: string, name: string): JsonObject => {
  const {
    $schema: _dialect,
    examples: _examples,
    definitions,
    ...schema
  } = readObject(path.join(root, 'schema', file));
  const inner = isJsonObject(definitions) ? Object.entries(definitions) : [];
  return Object.fromEntries(
    [[name, schema] as const, ...inner.map(([key, value]) => [`${name}_${key}`, value] as const)].map(
      ([key, value]) => [key, embedded(value, name)],
    ),
  );
};

/** Limits the port of metrics to those on which the gateway can listen without being root, besides its own port. */
const withMetricsPort = (metrics: JsonObject): JsonObject => {
  const members = objectAt(metrics, 'properties');
  const port = { ...objectAt(members, 'port'), minimum: 1024, not: { const: 8787 } };
  return { ...metrics, properties: { ...members, port } };
};

/**
 * Returns the schema of the gateway file as the chart accepts it: the chart writes some members itself, and has no flag that
 * could name the store. It is a single schema, because for an `allOf` helm adds to each mistake that not all of it is met.
 */
const withChartMembers = ({ gateway_file: gatewayFile, ...others }: JsonObject): JsonObject => {
  const whole = isJsonObject(gatewayFile) ? gatewayFile : {};
  const properties = objectAt(whole, 'properties');
  const own = {
    configs: { const: 'configs', description: 'The folder that the chart mounts.' },
    metrics: withMetricsPort(objectAt(properties, 'metrics')),
    store: { ...objectAt(properties, 'store'), required: ['url'] },
  };
  return { gateway_file: { ...whole, properties: { ...properties, ...own } }, ...others };
};

const file = path.join(chartFolder, 'values.schema.json');
const values = readObject(file);
const properties = objectAt(values, 'properties');
const schema: JsonObject = {
  ...values,
  properties: {
    ...properties,
    gateway: { $ref: '#/definitions/gateway_file' },
    configs: { ...objectAt(properties, 'configs'), additionalProperties: { $ref: '#/definitions/config' } },
  },
  definitions: withReferencesOnly({
    ...withChartMembers(definitionsOf('gateway.schema.json', 'gateway_file')),
    ...definitionsOf('config.schema.json', 'config'),
  }),
};

writeGenerated(
  path.relative(root, file),
  execFileSync(path.join(root, 'node_modules/.bin/biome'), ['format', '--stdin-file-path=values.schema.json'], {
    input: JSON.stringify(schema),
    encoding: 'utf8',
    cwd: root,
  }),
);
