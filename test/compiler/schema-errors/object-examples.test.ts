import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { typeHint } from '../../../compiler/schema-errors/type-hint.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { parseJson } from '../../../schema/json/parse-json.ts';
import { toPointer } from '../../../schema/json/pointer.ts';

type Place = readonly [way: readonly string[], schema: JsonObject];

const members = (value: Json | undefined): readonly (readonly [string, Json])[] =>
  isJsonObject(value) ? Object.entries(value) : [];

/** Returns the places of a schema that take an object, with `mine` for each name that users choose. */
const objectPlaces = (root: JsonObject, schema: Json | undefined, way: readonly string[] = []): readonly Place[] => {
  if (!isJsonObject(schema) || way.length > 7) return [];
  const name = typeof schema.$ref === 'string' ? schema.$ref.replace('#/definitions/', '') : undefined;
  if (name !== undefined) return objectPlaces(root, new Map(members(root.definitions)).get(name), way);
  return [
    ...(schema.type === 'object' && way.length > 0 ? [[way, schema] as const] : []),
    ...members(schema.properties).flatMap(([key, each]) => objectPlaces(root, each, [...way, key])),
    ...objectPlaces(root, schema.additionalProperties, [...way, 'mine']),
    ...objectPlaces(root, schema.items, [...way, '0']),
    ...[schema.anyOf ?? [], schema.oneOf ?? []].flat().flatMap((each) => objectPlaces(root, each, way)),
  ];
};

/**
 * Returns whether a place is a foreign document, has only members that a plugin or a check describes, or is in a mirror, which
 * has a whole config.
 */
const isOpen = (way: readonly string[]): boolean =>
  /^(?:cloudb_service_account_json|options|parameters)$/.test(way.at(-1) ?? '') || way.includes('mirror');

describe.each(['config.schema.json', 'gateway.schema.json'])(
  'an object of %s that is written as another value',
  (file) => {
    const root = parseJson(readFileSync(path.join(import.meta.dirname, '../../../schema', file), 'utf8')) as JsonObject;
    // The cache of a gateway file has its own hint, because configs have a setting of the same name.
    const places = objectPlaces(root, root).filter(
      ([way]) => !isOpen(way) && `${file} ${way}` !== 'gateway.schema.json cache',
    );
    const ways = [...new Map(places.map(([way, schema]) => [way.join('/'), [way, schema] as const])).values()];

    it.each(ways)('gets a hint with a valid object: %j', (way, schema) => {
      const wrong = { pointer: toPointer(way), types: ['object'], expected: 'an object' };
      for (const value of ['x', 5, true, [], '${env:KEY}']) {
        const hint = typeHint({ ...wrong, value });
        expect(hint).not.toBe('Write an object.');
        const [, written] = /^Write (\{[^…]*\})\.$/.exec(hint) ?? [];
        if (written === undefined) continue;
        const ajv = new Ajv({ strict: false, validateFormats: false });
        const isRight = ajv.validate({ ...schema, definitions: root.definitions }, JSON.parse(written));
        expect([hint, isRight, ajv.errors]).toEqual([hint, true, null]);
      }
    });
  },
);
