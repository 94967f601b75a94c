import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonError } from '../../../../runtime/json-bodies/read/json-error.ts';
import { repeatedKey } from '../../../../schema/json/repeated-key.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

const found = (text: string): string | undefined => repeatedKey(Buffer.from(text));
const spaced = (value: unknown): string => JSON.stringify(value, undefined, 3);

describe('repeatedKey', () => {
  it('finds no repeated key in the JSON of any value', () => {
    const law = fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      expect(found(JSON.stringify(value))).toBeUndefined();
      expect(found(spaced(value))).toBeUndefined();
    });
    fc.assert(law, lawRuns);
  });

  it('finds one wherever an object has it, among and inside any values', () => {
    const value = fc.jsonValue({ noUnicodeString: false });
    const law = fc.property(fc.string(), value, value, value, (key, first, between, around) => {
      const name = JSON.stringify(key);
      const object = `{${name}:${spaced(first)},${JSON.stringify(`${key}x`)}:${spaced(between)}, ${name} :${spaced(first)}}`;
      expect(found(`[${spaced(around)},{"a":[${object}]}]`)).toBe(key);
    });
    fc.assert(law, lawRuns);
  });

  it.each([
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"\u00e9":1,"\\u00e9":2}', '\u00e9'],
    ['{"a\\"b":1,"a\\"b":2}', 'a"b'],
    ['{"a\\\\":1,"a\\\\":2}', 'a\\'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ])('reads keys as JSON does: %s', (text, key) => expect(found(text)).toBe(key));

  it.each([
    '{"a":"a","b":"a"}',
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '{"a":"\\"a\\":1,\\"a\\":2"}',
    '{"a":["b","b"]}',
  ])('does not mistake a value, or a key of another object, for one: %s', (text) =>
    expect(found(text)).toBeUndefined(),
  );

  it.each(['', '{', '{"a', '{"a":1,"a', '"', '}}]]{"a":', '{"\\q":1,"\\q":'])(
    'terminates on bytes that are not JSON: %s',
    (text) => {
      expect(() => found(text)).not.toThrow();
    },
  );
});

describe('jsonError', () => {
  const large = (text: string): Buffer => Buffer.from(`{"p":"${'x'.repeat(200_000)}","v":${text}}`);

  it('limits nesting, and does not count brackets in strings or side by side', () => {
    expect(jsonError(large(`${'['.repeat(1000)}${']'.repeat(1000)}`))).toContain('deeper than 1000');
    expect(jsonError(large(`${'['.repeat(999)}${']'.repeat(999)}`))).toBeUndefined();
    expect(jsonError(large(`[${'[],'.repeat(5000)}0]`))).toBeUndefined();
    expect(jsonError(large(JSON.stringify('["{\\'.repeat(5000))))).toBeUndefined();
  });

  it('limits the number of values in a body, not counting numbers', () => {
    expect(jsonError(large(`[${'"",'.repeat(2_000_001)}0]`))).toContain('more than 2000000');
    expect(jsonError(large(`[${'0,'.repeat(2_500_000)}0]`))).toBeUndefined();
  });
});
