import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../schema/json/canonical.ts';

/** Follows the description in the standard. */
const described = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(described).join(',')}]`;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${described(Reflect.get(value, name))}`).join(',')}}`;
};

describe('the canonical form of JSON', () => {
  it('is that of RFC 8785 for every value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(canonicalJson(value)).toBe(described(value));
      }),
    );
  });

  it('sorts names that JavaScript objects order differently', () => {
    expect(canonicalJson({ a: { 9: 1, 10: 2, '': 3 } })).toBe('{"a":{"":3,"10":2,"9":1}}');
    expect(canonicalJson(JSON.parse('{"b":[{"__proto__":{"d":1,"c":2}}],"a":0}'))).toBe(
      '{"a":0,"b":[{"__proto__":{"c":2,"d":1}}]}',
    );
  });

  it('omits undefined members, writes null for undefined items, and does not modify the value', () => {
    const value = Object.freeze({ c: undefined, b: [undefined, Object.freeze({ z: 1, y: undefined })], a: 1 });
    expect(canonicalJson(value)).toBe('{"a":1,"b":[null,{"z":1}]}');
    expect(Object.keys(value)).toEqual(['c', 'b', 'a']);
  });
});
