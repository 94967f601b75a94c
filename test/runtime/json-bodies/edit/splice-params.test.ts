import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spliceParams } from '../../../../runtime/json-bodies/edit/splice-params.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

const splice = (text: string, edits: JsonObject): string => spliceParams(Buffer.from(text), edits).toString();

// No backslash: V8's JSON.parse reads the key "\"" as one that an earlier object of the same shape had.
const key = fc
  .oneof(fc.constantFrom('model', 'temperature', 'a', '__proto__', 'é', '"', '{'), fc.string())
  .filter((name) => !name.includes('\\'));
const unit = fc.constantFrom('a', 'o', '{', '}', '[', ']', ',', ':', ' ', 'é', '😀');
const value: fc.Arbitrary<Json> = fc.oneof(
  fc.string(),
  fc.array(fc.string(), { maxLength: 3 }),
  fc.jsonValue({ stringUnit: unit }).map((json) => json as Json),
);
const object = fc.dictionary(key, value, { maxKeys: 6, noNullPrototype: true });

/** The same JSON with other white space, and with some of its letters escaped. */
const spelled = fc
  .tuple(object, fc.constantFrom(0, 1, 2, '\t'), fc.boolean(), fc.constantFrom('', ' ', '\r\n\t '))
  .map(([members, indent, escapes, around]) => {
    const text = JSON.stringify(members, null, indent);
    const escaped = escapes ? text.replaceAll('o', '\\u006f').replaceAll('\\\\u006f', '\\\\o') : text;
    return around + (isSame(escaped, members) ? escaped : text) + around;
  });

const isSame = (text: string, members: unknown): boolean => {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(members);
  } catch {
    return false;
  }
};

describe('splicing members into the text of a JSON object', () => {
  it('results in the object with the edits applied to it', () => {
    fc.assert(
      fc.property(spelled, object, (text, edits) => {
        const expected = { ...JSON.parse(text), ...edits };
        expect(JSON.parse(splice(text, edits))).toEqual(JSON.parse(JSON.stringify(expected)));
      }),
      lawRuns,
    );
  });

  it('changes nothing without edits', () => {
    fc.assert(
      fc.property(spelled, (text) => {
        expect(splice(text, {})).toBe(text);
      }),
    );
  });

  it('keeps the rest as it was written', () => {
    expect(splice('{ "seed": 1.0e2,\n  "model" : "a" , "n":9007199254740993 }', { model: 'b' })).toBe(
      '{ "seed": 1.0e2,\n  "model" : "b" , "n":9007199254740993 }',
    );
  });

  it('adds new members first, so that the last member stays last', () => {
    expect(splice('{"a":1}', { b: [2] })).toBe('{"b":[2],"a":1}');
    expect(splice(' { } ', { b: 2, c: 'x' })).toBe(' {"b":2,"c":"x" } ');
  });

  it('replaces every occurrence of a member, however its name is spelled', () => {
    expect(splice('{"model":"a","x":{"model":"a"},"mod\\u0065l":"c"}', { model: 'b' })).toBe(
      '{"model":"b","x":{"model":"a"},"mod\\u0065l":"b"}',
    );
  });

  it('is not misled by brackets and quotes inside strings', () => {
    expect(splice('{"a":"}],\\"{[","b":[{"c":"]"}],"d":1}', { b: 2 })).toBe('{"a":"}],\\"{[","b":2,"d":1}');
  });
});
