import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  exactlyAt,
  exactText,
  exactTextFrom,
  fromExactJson,
  mayBeRounded,
  withExactNumbers,
} from '../../../schema/json/exact-numbers.ts';
import { isRounded } from '../../../schema/json/number-sources.ts';

const digits = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(`^[0-9]{${minLength},${maxLength}}$`));

/** JSON numbers, few of them small: https://datatracker.ietf.org/doc/html/rfc8259#section-6 */
const number = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(
      fc.constant('0'),
      fc.tuple(fc.constantFrom('1', '9'), digits(0, 25)).map((parts) => parts.join('')),
    ),
    fc.oneof(
      fc.constant(''),
      digits(1, 25).map((fraction) => `.${fraction}`),
    ),
    fc.constantFrom('', '', '', 'e5', 'E-7', 'e+12', 'e400', 'E-400', 'e-310'),
  )
  .map((parts) => parts.join(''));

/** JSON texts without white space. Integer names would change their order. */
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    { weight: 3, arbitrary: number },
    { weight: 1, arbitrary: fc.constantFrom('"1234567890123456789"', 'true', 'null') },
    fc.array(tie('json'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .dictionary(fc.constantFrom('a', 'b', '__proto__', 'c\\d'), tie('json'))
      .map((members) => Object.entries(members).map(([name, value]) => `${JSON.stringify(name)}:${value}`))
      .map((members) => `{${members.join(',')}}`),
  ),
}));

/** Returns a text with its short numbers as JavaScript writes them. */
const normal = (text: string): string =>
  text.replace(/"[^"]*"|-?[\d.]+(?:[eE][+-]?\d+)?/g, (token) =>
    token.startsWith('"') || isRounded(token) ? token : JSON.stringify(Number(token)),
  );

describe('JSON that is read exactly', () => {
  it('has the same values as JSON.parse returns', () => {
    fc.assert(
      fc.property(json, (text) => {
        expect(fromExactJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('is written with the same numbers as it was read', () => {
    fc.assert(
      fc.property(json, (item) => {
        // A number on its own belongs to no object or list.
        const text = `[${item}]`;
        const value = fromExactJson(text);
        expect(exactText(value)).toBe(normal(text));
        expect(JSON.stringify({ inside: withExactNumbers(value) })).toBe(`{"inside":${normal(text)}}`);
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps its numbers inside values that are built from it and from its members', () => {
    fc.assert(
      fc.property(json, json, (first, second) => {
        const read = fromExactJson(`{"a":[${first}],"b":${second}}`);
        expect(exactTextFrom(read, { made: [read.a, withExactNumbers(read)] })).toBe(
          normal(`{"made":[[${first}],{"a":[${first}],"b":${second}}]}`),
        );
        expect(JSON.stringify([exactlyAt(read, 'b')])).toBe(normal(`[${second}]`));
      }),
      { numRuns: 1000 },
    );
  });

  it('bypasses the engine only if a number may be rounded', () => {
    const texts = [
      '{"id":"msg_01e400","to":"12e999"}',
      '{"at":"2026-11-29T12:00:00.000Z"}',
      '{"a":1e40}',
      `{"a":"${'1'.repeat(99)}"}`,
    ];
    expect(texts.filter(mayBeRounded)).toEqual([]);
    expect(
      ['{"a":1e400}', '[-2.5E-330]', '[1, 12345678901234567]', '{"9e123": -1e-999}'].filter(mayBeRounded),
    ).toHaveLength(4);
  });

  it.each([
    ['a number that is infinite in JavaScript', '{"a":-1e400}', '{"a":-1e400}'],
    ['a number that is zero in JavaScript', '[1e-400]', '[1e-400]'],
    ['a number that loses digits in JavaScript', '[1.23456e-320]', '[1.23456e-320]'],
    ['a zero with a large exponent', '[0.0e400]', '[0]'],
    ['a duplicate name, whose last value counts', '{"a":1234567890123456789,"a":5}', '{"a":5}'],
    ['a name that is written with an escape', '{"\\u0061":1234567890123456789}', '{"a":1234567890123456789}'],
    ['a number that is short once it is rounded', '{"a":900000000.00000996}', '{"a":900000000.00000996}'],
    ['a large number with an exponent', '[12000000000000000000000001]', '[12000000000000000000000001]'],
  ])('supports %s', (_, text, written) => {
    expect(exactText(fromExactJson(text))).toBe(written);
  });

  it('is the same value if no number was rounded', () => {
    const value = fromExactJson('{"a":[1,2.5],"b":"1234567890123456789"}');
    expect(exactText(value)).toBe('{"a":[1,2.5],"b":"1234567890123456789"}');
    expect(withExactNumbers(fromExactJson('{"a":1}'))).toEqual({ a: 1 });
  });
});
