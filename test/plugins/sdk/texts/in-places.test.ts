import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TextSpan } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Replacement } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import { splitByPlace } from '../../../../plugins/sdk/texts/in-places.ts';
import { replacedTexts } from '../../../../plugins/sdk/texts/replaced-texts.ts';
import { rootPointer, toPointer } from '../../../../schema/json/pointer.ts';
import { processorMs } from '../../../support/gateways/processor-time.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

/** One text that is split over several places. */
const written = (pieces: readonly string[]): TextSpan => {
  let from = 0;
  const places = pieces.map((text, index) => {
    const place = { at: toPointer(['content', String(index), 'text']), from };
    from += text.length;
    return place;
  });
  const [first, ...further] = places;
  return { at: first?.at ?? rootPointer, text: pieces.join(''), kind: 'text', further };
};

const replacedIn = (span: TextSpan, replacements: readonly Replacement[]): readonly string[] => {
  const placed = splitByPlace({ spans: [span], replacements });
  return replacedTexts(placed.spans, placed.replacements);
};

/** Disjoint replacements, some of which replace nothing. */
const replacementsOf = (length: number): fc.Arbitrary<readonly Replacement[]> =>
  fc.uniqueArray(fc.nat({ max: length }), { maxLength: 8 }).map((places) => {
    const sorted = [...places].sort((a, b) => a - b);
    return sorted.flatMap((from, index) => {
      const to = sorted[index + 1];
      if (index % 2 === 1) return [];
      return [{ span: 0, from, to: to ?? from, with: `<${index}>` }];
    });
  });

describe('a text that is split over several places', () => {
  const cases = fc
    .array(fc.string({ maxLength: 5 }), { minLength: 2, maxLength: 8 })
    .chain((pieces) => fc.tuple(fc.constant(pieces), replacementsOf(pieces.join('').length)));

  it('is replaced as if it were in one place', () => {
    fc.assert(
      fc.property(cases, ([pieces, replacements]) => {
        const span = written(pieces);
        expect(replacedIn(span, replacements).join('')).toBe(replacedTexts([span], replacements).join(''));
      }),
      lawRuns,
    );
  });

  it('rejects replacements outside the text', () => {
    const span = written(['ab', '', 'cd']);
    for (const [from, to] of [
      [-1, 1],
      [3, 5],
      [5, 6],
    ] as const)
      expect(() => replacedIn(span, [{ span: 0, from, to, with: '' }])).toThrow(RangeError);
  });

  it('is replaced in time proportional to the number of places', () => {
    const msOf = (count: number): number => {
      const span = written(Array.from({ length: count }, () => 'x y '));
      const replacements = Array.from({ length: count }, (_, at) => ({
        span: 0,
        from: 4 * at,
        to: 4 * at + 1,
        with: '',
      }));
      return processorMs(() => void replacedIn(span, replacements));
    };
    msOf(4000);
    expect(msOf(32_000)).toBeLessThan(30 * Math.max(20, msOf(4000)));
  });
});
