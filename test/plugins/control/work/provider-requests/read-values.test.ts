import { describe, expect, it } from 'vitest';
import {
  findId,
  isoSeconds,
  lastSegment,
  readCount,
  readInteger,
  readStatus,
  readWord,
  toEpochSeconds,
} from '../../../../../plugins/control/work/provider-requests/read-values.ts';
import type { Json } from '../../../../../schema/json/json.ts';

/** Values that are neither texts nor numbers, and that JavaScript cannot convert to either. */
const unprintable: readonly Json[] = [{ toString: [1], valueOf: [1] }, [{ toString: [1] }], { toString: null }];

describe('a value of a provider', () => {
  it('of another type counts as absent', () => {
    for (const value of [...unprintable, null, true, {}, []] as const) {
      expect([isoSeconds(value), readInteger(value), readCount(value), readStatus(value, 500)]).toEqual([
        ...[null, null, 0, 500],
      ]);
      expect([toEpochSeconds(value), readWord({ a: 1 }, value), findId(value)]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect(lastSegment(value)).toBe('');
    }
  });

  it.each([
    ['12', 12],
    ['-3', -3],
    [7, 7],
    ['', null],
    [' 12', null],
    ['0x10', null],
    ['1e3', null],
    [0.5, null],
    [2 ** 53, null],
    ['9007199254740993', null],
  ])('of %j is read as the whole number %j', (value, number) => {
    expect(readInteger(value)).toBe(number);
  });

  it('that is a time beyond the range of dates counts as absent', () => {
    expect([toEpochSeconds(1_790_000_000), toEpochSeconds(1_790_000_000_123)]).toEqual([1_790_000_000, 1_790_000_000]);
    expect([toEpochSeconds(Number.MAX_SAFE_INTEGER), toEpochSeconds(1e300)]).toEqual([undefined, undefined]);
  });

  it('does not match a name that every object inherits', () => {
    for (const word of ['constructor', 'toString', '__proto__']) expect(readWord({ a: 1 }, word)).toBeUndefined();
    expect(readWord({ a: 1 }, 'a')).toBe(1);
  });

  it.each(['', '.', '..', 'a/../b', 'a//b', '/a', 'a/', 'a b', 'a\nb', '\0', '\ud800', 'x'.repeat(1025)])(
    'of %j is not a valid id',
    (text) => {
      expect(findId(text)).toBeUndefined();
    },
  );

  it.each(['batch_1', 'arn:aws:bedrock:us-east-1:1:model-invocation-job/a', 'ft:gpt-4o:org::id', 'a|b', 'a..b'])(
    'of %j is a valid id',
    (text) => {
      expect(findId(text)).toBe(text);
    },
  );

  it.each([
    [200, 200],
    ['404', 404],
    [199, 500],
    [600, 500],
    [-1, 500],
    [400.5, 500],
  ])('of %j is read as the status %j', (value, status) => {
    expect(readStatus(value, 500)).toBe(status);
  });
});
