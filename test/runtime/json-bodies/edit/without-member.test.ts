import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withoutMember } from '../../../../runtime/json-bodies/edit/without-member.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

/** Without `usage"`: after an object with the key `usage\`, V8's JSON.parse in Node 24 reads that key in its place. */
const name = fc.constantFrom('usage', 'use', 'a', '"usage', 'usage\\', '{', ',');
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('usage', '"usage":null', ',"usage":1}', '\\', '"', ''),
    fc.integer(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(name, tie('any'), { maxKeys: 3 }),
  ),
})).any;

it('withoutMember removes a top-level member from the text of any object, and nothing else', () => {
  fc.assert(
    fc.property(fc.dictionary(name, value, { maxKeys: 5 }), fc.constantFrom(0, 2), (object, spaces) => {
      const { usage: _, ...rest } = object;
      const text = JSON.stringify(object, null, spaces);
      const without = withoutMember(text, 'usage');
      expect(JSON.parse(without)).toEqual(JSON.parse(JSON.stringify(rest)));
      if (!Object.hasOwn(object, 'usage')) expect(without).toBe(text);
      if (spaces === 0) expect(without).toBe(JSON.stringify(rest));
    }),
    lawRuns,
  );
});

it('withoutMember keeps numbers, escapes and white space as they are written', () => {
  expect(withoutMember('{ "a" : 1.0 , "usage" : { "n": 1 } , "b":"\\u0061" }', 'usage')).toBe(
    '{ "a" : 1.0 , "b":"\\u0061" }',
  );
  expect(withoutMember('{"usage":null}', 'usage')).toBe('{}');
  expect(withoutMember('{"a":[{"usage":null}],"b":{"usage":1}}', 'usage')).toBe(
    '{"a":[{"usage":null}],"b":{"usage":1}}',
  );
  expect(withoutMember('{"usage":"', 'usage')).toBe('{"usage":"');
});
