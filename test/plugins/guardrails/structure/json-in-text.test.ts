import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonInText } from '../../../../plugins/guardrails/structure/json-in-text.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

describe('JSON in a text', () => {
  it.each([
    ['the whole text', ' {"a":{"b":[1]}} ', [{ a: { b: [1] } }]],
    ['a scalar that is the whole text', '42', [42]],
    ['a code block', 'So:\n```json\n{"a":{"b":1}}\n```\nDone {"c":2}.', [{ a: { b: 1 } }]],
    ['a code block without a language', '```\n[1]\n```', [[1]]],
    ['an object in a sentence', 'It is {"a":{"b":{}}}, I think.', [{ a: { b: {} } }]],
    ['several objects', '{"a":1} and {"b":[{"c":2}]}', [{ a: 1 }, { b: [{ c: 2 }] }]],
    ['an object with brackets in its strings', 'x {"a":"}{\\"]","b":"\\\\"} y', [{ a: '}{"]', b: '\\' }]],
    ['an object after brackets that are not JSON', 'f({ x }) { not json } [see 1] {"a":1}', [{ a: 1 }]],
    ['an object inside invalid JSON', '{"a": {"b":1}, c: 2}', [{ b: 1 }]],
    ['an object after a code block in another language', '```js\nf({})\n```\n{"a":1}', [{}, { a: 1 }]],
    ['nothing in prose', 'No "JSON" here: {a}.', []],
    ['nothing in truncated JSON', '{"a":[1,2', []],
    ['nothing in an empty text', '', []],
  ])('is found: %s', (_what, text, found) => {
    expect(jsonInText(text)).toEqual(found);
  });

  it('is found wherever it is', () => {
    const words = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '.', '}', ']', ','), maxLength: 20 });
    fc.assert(
      fc.property(words, fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), words, (before, value, after) => {
        const json = JSON.parse(JSON.stringify(value));
        expect(jsonInText(`${before}x${JSON.stringify(json)}x${after}`)).toEqual([json]);
      }),
      lawRuns,
    );
  });

  it.each(['{', '[', '{"', '{"a":', '[[', '"', '\\', '{"a":"b', '```', '{ ', '[1', '{}'])(
    'is found at most 100 times in a megabyte of %s',
    (piece) => {
      expect(jsonInText(piece.repeat(1_000_000 / piece.length)).length).toBeLessThanOrEqual(100);
    },
  );
});
