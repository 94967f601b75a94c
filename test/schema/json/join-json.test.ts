import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinJson } from '../../../schema/json/join-json.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';

const { value } = fc.letrec<{ readonly value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, 1, 'a'),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('value'), { maxKeys: 3 }),
  ),
}));
const object = fc.dictionary(fc.constantFrom('a', 'b', 'constructor'), value, {
  maxKeys: 3,
}) as fc.Arbitrary<JsonObject>;

describe('objects that are joined in order', () => {
  it('have lists concatenated, inner objects merged, and other values replaced by the last one', () => {
    const said = [{ a: [1], b: { c: 1, d: 1 }, e: 1 }, { a: [2], b: { c: 2 } }, { e: [3] }];
    expect(joinJson(said)).toEqual({ a: [1, 2], b: { c: 2, d: 1 }, e: [3] });
    expect(joinJson([])).toEqual({});
  });

  it('are the same if they are joined one by one', () => {
    fc.assert(
      fc.property(fc.array(object, { maxLength: 5 }), (objects) => {
        const oneByOne = objects.reduce<JsonObject>((before, next) => joinJson([before, next]), {});
        expect(joinJson(objects)).toEqual(oneByOne);
      }),
    );
  });
});
