import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Replacement } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { replacedTexts } from '../../../../plugins/sdk/texts/replaced-texts.ts';
import { mergeReplacements } from '../../../../runtime/engine/guardrail-verdicts/merge-replacements.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

const text = 'abcdefghijklmnopqrst';

/** Replacements that do not overlap, in order. Some of them remove nothing. */
const list = (mark: string): fc.Arbitrary<readonly Replacement[]> =>
  fc.array(fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 4 })), { maxLength: 5 }).map((steps) => {
    const found: Replacement[] = [];
    let at = 0;
    for (const [gap, length] of steps) {
      const from = at + gap + 1;
      const to = from + length;
      if (to > text.length) break;
      found.push({ span: 0, from, to, with: `${mark}${found.length}` });
      at = to;
    }
    return found;
  });

const covers = (replacements: readonly Replacement[], at: number): boolean =>
  replacements.some(({ from, to }) => from <= at && at < to);

const applied = (replacements: readonly Replacement[]): string => replacedTexts([{ text }], replacements)[0] ?? '';

describe('two merged lists of replacements', () => {
  it('remove only what either removes, and insert every text of the later list', () => {
    fc.assert(
      fc.property(list('<'), list('>'), (earlier, later) => {
        const result = applied(mergeReplacements(earlier, later));
        const letters = [...text].filter((_, at) => !covers(earlier, at) && !covers(later, at)).join('');
        expect(result.replace(/[<>]\d/g, '')).toBe(letters);
        expect(result.match(/>\d/g) ?? []).toEqual(later.map(({ with: added }) => added));
      }),
      lawRuns,
    );
  });

  it('have the effect of both lists if they do not touch each other', () => {
    fc.assert(
      fc.property(list('<'), list('>'), (earlier, later) => {
        fc.pre(earlier.every((one) => later.every((other) => one.to < other.from || other.to < one.from)));
        const all = [...earlier, ...later];
        expect(applied(mergeReplacements(earlier, later))).toBe(applied(all));
      }),
      lawRuns,
    );
  });

  it('keep to their own spans', () => {
    const one = { span: 0, from: 0, to: 1, with: '' };
    expect(mergeReplacements([one], [{ ...one, span: 1 }])).toEqual([one, { ...one, span: 1 }]);
  });
});
