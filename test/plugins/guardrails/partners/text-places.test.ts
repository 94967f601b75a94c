import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locate } from '../../../../plugins/guardrails/partners/findings/located-entities.ts';
import { redactions } from '../../../../plugins/guardrails/partners/findings/pii-verdict.ts';
import { overlappingPieces, textPieces } from '../../../../plugins/guardrails/partners/pieces/text-pieces.ts';
import { replacedTexts } from '../../../../plugins/sdk/texts/replaced-texts.ts';
import { lawRuns } from '../../../support/run/law-runs.ts';

/** Texts of spaces, letters, and characters with two UTF-16 units. */
const texts = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '😀', '\n'), maxLength: 60 });

describe('the pieces of a text', () => {
  it('add up to the text, stay within the limit, and split no character', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 8, max: 20 }), (text, most) => {
        const pieces = textPieces(text, most);
        expect(pieces.map((piece) => piece.text).join('')).toBe(text);
        for (const piece of pieces) {
          expect(text.startsWith(piece.text, piece.from)).toBe(true);
          expect(piece.text.length).toBeLessThanOrEqual(most);
          expect(piece.text.isWellFormed()).toBe(true);
        }
        expect(pieces.length).toBeLessThanOrEqual(33);
      }),
      lawRuns,
    );
  });

  it('may overlap, by whole words if possible, so that short data is whole in one of them', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 16, max: 40 }), (text, most) => {
        const pieces = overlappingPieces(text, most);
        for (const [at, piece] of pieces.entries()) {
          expect(text.startsWith(piece.text, piece.from)).toBe(true);
          expect(piece.text.length).toBeLessThanOrEqual(most);
          expect(piece.text.isWellFormed()).toBe(true);
          const before = pieces[at - 1];
          if (before !== undefined) expect(piece.from).toBeLessThanOrEqual(before.from + before.text.length);
          if (before !== undefined) expect(piece.from).toBeGreaterThan(before.from);
        }
        expect((pieces.at(-1)?.from ?? 0) + (pieces.at(-1)?.text.length ?? 0)).toBe(text.length);
      }),
      lawRuns,
    );
    const divided = overlappingPieces(`${'a '.repeat(3994)}call 415 555 2671 now`, 8000);
    expect(divided.map((piece) => piece.text.includes('415 555 2671'))).toEqual([false, true]);
  });

  it('end after a nearby space', () => {
    expect(textPieces('one two three', 8).map(({ text }) => text)).toEqual(['one two ', 'three']);
  });

  it('are refused if there would be too many', () => {
    expect(() => textPieces('a'.repeat(161), 10)).toThrow(
      'The text has 161 characters, but at most 160 are sent to the service.',
    );
  });
});

describe('the place of a finding in a text', () => {
  it('is found whether its position counts code points or UTF-16 units', () => {
    fc.assert(
      fc.property(texts, texts, fc.boolean(), (before, after, countsPoints) => {
        const text = `${before}ada@x.y${after}`;
        const start = countsPoints ? [...before].length : before.length;
        expect(locate(text, { start, snippet: 'ada@x.y' })).toEqual([before.length]);
      }),
      lawRuns,
    );
  });

  it('is only the reported one, even if the text occurs elsewhere too', () => {
    expect(locate('ada 😀😀 ada ada', { start: 7, snippet: 'ada' })).toEqual([9]);
    expect(locate('ada 😀😀 ada ada', { start: 13, snippet: 'ada' })).toEqual([13]);
  });

  it('is every occurrence if the reported one is wrong, and none if there is no occurrence', () => {
    expect(locate('ada, ada', { start: 2, snippet: 'ada' })).toEqual([0, 5]);
    expect(locate('ada, ada', { start: -1, snippet: 'ada' })).toEqual([0, 5]);
    expect(locate('ada, ada', { start: 0.5, snippet: 'ada' })).toEqual([0, 5]);
    expect(locate('ada', { start: 0, snippet: 'bob' })).toEqual([]);
    expect(locate('ada', { start: 0, snippet: '' })).toEqual([]);
  });
});

describe('redactions', () => {
  it('never overlap, and leave nothing of what was found', () => {
    const part = fc
      .tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 4 }))
      .map(([span, from, length]) => ({ span, from, to: Math.min(10, from + length), with: '*' }));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (found) => {
        const spans = [{ text: '0123456789' }, { text: 'abcdefghij' }];
        const replaced = replacedTexts(spans, redactions(found));
        const kept = spans.map(({ text }, span) =>
          [...text].filter((_, at) => !found.some((each) => each.span === span && each.from <= at && at < each.to)),
        );
        expect(replaced.map((text) => text.replaceAll('*', ''))).toEqual(kept.map((each) => each.join('')));
      }),
      lawRuns,
    );
  });
});
