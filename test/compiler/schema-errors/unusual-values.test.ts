import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readGatewayFile } from '../../../compiler/cli/files/read-gateway-file.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { compiled } from '../../support/plans/compiled.ts';

/** An object that JavaScript cannot convert to a string or a number, although it is plain JSON. */
const unprintable: JsonObject = { toString: [1], valueOf: [1] };

const odd: readonly Json[] = [unprintable, [unprintable], { env: unprintable }, { env: [unprintable] }];

type Holder = (value: Json) => Json;

const object = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** Calls `visit` for each place of a schema, with a function that writes a value into the smallest document with that place. */
const eachPlace = (whole: JsonObject, visit: (holder: Holder) => void): void => {
  const walk = (schema: JsonObject, holder: Holder, within: readonly Json[]): void => {
    visit(holder);
    const { $ref, items, additionalProperties, properties, anyOf, oneOf, allOf } = schema;
    if (typeof $ref === 'string' && !within.includes($ref))
      walk(object(object(whole.definitions)[$ref.replace('#/definitions/', '')]), holder, [...within, $ref]);
    for (const [name, member] of Object.entries(object(properties)))
      walk(object(member), (value) => holder({ [name]: value }), within);
    if (isJsonObject(items)) walk(items, (value) => holder([value]), within);
    if (isJsonObject(additionalProperties))
      walk(additionalProperties, (value) => holder({ 'default.contains': value }), within);
    for (const list of [anyOf, oneOf, allOf])
      if (Array.isArray(list)) for (const one of list) walk(object(one), holder, within);
  };
  walk(whole, (value) => value, []);
};

const readSchema = (name: string): JsonObject =>
  JSON.parse(readFileSync(new URL(`../../../schema/${name}.schema.json`, import.meta.url), 'utf8')) as JsonObject;

const files: readonly (readonly [string, (document: Json) => readonly object[]])[] = [
  ['config', (document) => compiled(document).diagnostics],
  ['gateway', (document) => readGatewayFile(JSON.stringify(document), 'gateway.json').diagnostics],
];

describe('a value whose toString is not a function', () => {
  it.each(files)('is handled at every place of a %s file', (name, read) => {
    let places = 0;
    eachPlace(readSchema(name), (holder) => {
      places += 1;
      for (const value of odd) expect(read(holder(value)), JSON.stringify(holder(value))).toBeInstanceOf(Array);
    });
    expect(places).toBeGreaterThan(100);
  });
});
