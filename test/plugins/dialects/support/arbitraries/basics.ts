import fc from 'fast-check';
import type { CacheHint, Extensions } from '../../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../../schema/json/json.ts';

/** Objects in which each member is absent half of the time. */
export const sometimes = <T extends object>(
  members: { [K in keyof T]: fc.Arbitrary<T[K]> },
): fc.Arbitrary<Partial<T>> =>
  // The library's own type is equivalent but longer.
  fc.record(members, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>;

/** Converts a value to JSON and back, as on the wire, so that it contains no -0. */
const overTheWire = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

export const said: fc.Arbitrary<string> = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
export const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: said },
  { weight: 1, arbitrary: fc.constant('') },
);
export const id: fc.Arbitrary<string> = fc.stringMatching(/^[a-zA-Z0-9_-]{1,8}$/);
export const json: fc.Arbitrary<Json> = (fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<Json>).map(overTheWire);
export const jsonObject: fc.Arbitrary<JsonObject> = fc.dictionary(id, json, { maxKeys: 3 }).map(overTheWire);
/** Canonical, so that decoding and encoding it returns the same text. */
export const base64: fc.Arbitrary<string> = fc
  .uint8Array({ minLength: 3, maxLength: 12 })
  .map((bytes) => Buffer.from(bytes).toString('base64'));
export const textAsBase64: fc.Arbitrary<string> = said.map((value) => Buffer.from(value, 'utf8').toString('base64'));
export const cache: fc.Arbitrary<CacheHint> = sometimes({ ttl: fc.constantFrom('5m', '1h', '12h') });
export const tokens: fc.Arbitrary<number> = fc.integer({ min: 0, max: 100_000 });

const toCome = { yet_to_come: [7, { a: null }] };

/** Members that only one dialect has, in an object of the name that this dialect has for the kind of tool or part. */
export const extensionsIn = (holders: Readonly<Record<string, string | undefined>>): fc.Arbitrary<Extensions> =>
  fc.constantFrom('chat', 'messages', 'responses', 'gemini', 'converse', 'cohere', 'elsewhere').map((dialect) => {
    const holder = holders[dialect];
    return { [dialect]: holder === undefined ? toCome : { ...toCome, [holder]: toCome } };
  });

/** JSON Schemas of objects. */
export const schema: fc.Arbitrary<JsonObject> = fc.constantFrom<JsonObject>(
  { type: 'object', properties: {} },
  { type: 'object', properties: { a: { type: 'string' } } },
  { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'], additionalProperties: false },
);
