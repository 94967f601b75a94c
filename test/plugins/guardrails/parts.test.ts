import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contains } from '../../../plugins/guardrails/text/contains.ts';
import { allLowerCase } from '../../../plugins/guardrails/text/letter-case.ts';
import { regexMatch } from '../../../plugins/guardrails/text/regex-match.ts';
import { regexReplace } from '../../../plugins/guardrails/text/regex-replace.ts';
import type { Check, CheckInput, Guardrail } from '../../../plugins/sdk/guardrail/guardrail.ts';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { rootPointer } from '../../../schema/json/pointer.ts';
import { lawRuns } from '../../support/run/law-runs.ts';

const created = (guardrail: Guardrail, parameters: JsonObject): Check =>
  guardrail.create(parameters, {
    http: { send: () => Promise.reject(new Error('No service.')) },
    timers: createVirtualClock(0),
    placeholder: () => '',
  });

const passes = async (check: Check, text: string): Promise<boolean> => {
  const input = { text, spans: [{ at: rootPointer, text, kind: 'text' }], metadata: {} };
  return (await check(input as unknown as CheckInput)).pass;
};

/** Returns the parts of a text that arrives in pieces. Each part starts with what was held back of the parts before it. */
const toParts = (pieces: readonly string[], overlap: number): readonly string[] => {
  let held = '';
  return pieces.map((piece) => {
    const part = held + piece;
    held = overlap === 0 ? '' : part.slice(-overlap);
    return part;
  });
};

const pieces = fc.array(
  fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'A', '😀', '\n'), minLength: 1, maxLength: 6 }),
  {
    minLength: 1,
    maxLength: 8,
  },
);

const judged: readonly (readonly [name: string, guardrail: Guardrail, parameters: JsonObject])[] = [
  ['default.contains', contains, { words: ['abc', 'bb', 'c😀'], operator: 'none' }],
  ['default.regexMatch', regexMatch, { rule: 'a[bc]{1,3}a|😀.c', not: true }],
  ['default.regexMatch with a one-character rule', regexMatch, { rule: 'A', not: true }],
  ['default.alllowercase', allLowerCase, { not: false }],
  ['default.regexReplace', regexReplace, { rule: '/ab{1,2}c?/g', redactText: '', failOnDetection: true }],
];

describe('the judgement of a text in parts', () => {
  it.each(judged)(
    'by %s passes exactly if the judgement of the whole text does',
    async (_name, guardrail, parameters) => {
      const parts = guardrail.parts?.(parameters);
      if (parts === undefined) throw new Error('It has no parts.');
      const check = created(guardrail, parameters);
      await fc.assert(
        fc.asyncProperty(pieces, async (texts) => {
          const verdicts = await Promise.all(toParts(texts, parts.overlap).map((part) => passes(check, part)));
          expect(verdicts.every(Boolean)).toBe(await passes(check, texts.join('')));
        }),
        lawRuns,
      );
    },
  );

  it.each([
    ['words of which one must occur', contains, { words: ['a'], operator: 'any' }],
    ['a pattern that must match', regexMatch, { rule: 'a', not: false }],
    ['a pattern of unlimited length', regexMatch, { rule: 'ab*', not: true }],
    ['a pattern anchored at the start of the text', regexMatch, { rule: '^a', not: true }],
    ['a pattern anchored at the end of the text', regexMatch, { rule: 'a$', not: true }],
    ['a pattern with a word boundary', regexMatch, { rule: 'a\\b', not: true }],
    ['a text that must not be all lower case', allLowerCase, { not: true }],
    ['a replacement of only the first match', regexReplace, { rule: 'a' }],
  ])('is not supported for %s', (_words, guardrail, parameters) => {
    expect(guardrail.parts?.(parameters)).toBeUndefined();
  });
});
