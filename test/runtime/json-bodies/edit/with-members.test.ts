import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withMembers } from '../../../../runtime/json-bodies/edit/with-members.ts';
import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';

const toText = (bytes: string, after: (before: JsonObject) => JsonObject): string => {
  const before: unknown = JSON.parse(bytes);
  if (!isJsonObject(before)) throw new TypeError('It is not an object.');
  const body = withMembers(Buffer.from(bytes), before, after(before));
  return body.kind === 'bytes' ? Buffer.from(body.bytes).toString() : '';
};

describe('a body with other members', () => {
  it('keeps the bytes of everything that stays', () => {
    const bytes = '{ "price": 1.50, "knobs": {"a": 1e2},\n "x": "\\u00e9" }';
    expect(toText(bytes, (before) => ({ ...before }))).toBe(bytes);
    expect(toText(bytes, (before) => ({ ...before, knobs: { b: 2 } }))).toBe(
      '{ "price": 1.50, "knobs": {"b":2},\n "x": "\\u00e9" }',
    );
  });

  it('is serialised again if a member is removed', () => {
    expect(toText('{ "model": "m", "say": 1.50 }', ({ say = 0 }) => ({ say }))).toBe('{"say":1.5}');
  });

  it('always has the intended value', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(object, object, (before, after) => {
        const wanted = JSON.stringify(after);
        expect(JSON.parse(toText(JSON.stringify(before), () => JSON.parse(wanted)))).toEqual(JSON.parse(wanted));
      }),
    );
  });
});
