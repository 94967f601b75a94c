import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { smallCopy } from '../../../../plugins/sdk/guardrail/small-copy.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('a copy of a small value', () => {
  it('is what JSON makes of the value, if a copy is made', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withSparseArray: true, withDate: true }), (value) => {
        const copied = smallCopy(value);
        if (copied !== undefined) expect(copied).toStrictEqual(throughJson(value));
      }),
      lawRuns,
    );
  });

  it.each([
    ['a verdict', { explanation: 'found', words: ['a', 'b'], count: 2, limit: null, ok: true }],
    ['a list', [1, [2, 'x']]],
    ['a text', 'x'],
  ])('is made of %s', (_what, value) => expect(smallCopy(value)).toStrictEqual(value));

  it('shares nothing with the value', () => {
    const value = { inner: { list: [1] } };
    const copied = smallCopy(value);
    value.inner.list.push(2);
    expect(copied).toStrictEqual({ inner: { list: [1] } });
  });

  it.each([
    ['many members', Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`m${at}`, at]))],
    ['a long text', 'x'.repeat(5000)],
    ['many levels', [[[[[1]]]]]],
    ['a member that is undefined', { a: undefined }],
    ['a toJSON method', { toJSON: () => 1 }],
    ['a key that would set the prototype', JSON.parse('{"__proto__": {"a": 1}}')],
    ['a class of its own', new Map()],
  ])('is not made of a value with %s', (_what, value) => expect(smallCopy(value)).toBeUndefined());

  it('contains 0 if the value contains -0, like JSON', () => expect(smallCopy({ n: -0 })).toStrictEqual({ n: 0 }));
});
