import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { similar, similarity } from '../../../../plugins/guardrails/text/similar.ts';

describe('the similarity of two texts', () => {
  it('is between 0 and 1, the same both ways, and 1 for a text and itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, other) => {
        const found = similarity(one, other);
        expect(found).toBeGreaterThanOrEqual(0);
        expect(found).toBeLessThanOrEqual(1);
        expect(similarity(other, one)).toBeCloseTo(found, 10);
        expect(similarity(one, one)).toBeCloseTo(1, 10);
      }),
    );
  });

  it.each([
    ['The bridge is old.', 'Rain falls in Graz.', 0, 0],
    ['The bridge is old.', 'the BRIDGE is old!', 1, 1],
    ['Ada met Bob in Graz.', 'Bob met Ada in Graz.', 0.5, 0.95],
    ['The year was 1604.', 'The year was 1905.', 0.5, 0.95],
    ['橋は石でできている', '橋は木でできている', 0.6, 0.95],
  ])('of %j and %j is within its expected range', (one, other, least, most) => {
    const found = similarity(one, other);
    expect(found).toBeGreaterThanOrEqual(least - 1e-9);
    expect(found).toBeLessThanOrEqual(most + 1e-9);
  });

  it('depends only on the beginnings of long texts', () => {
    expect(similarity('a '.repeat(50_000) + 'b'.repeat(1_000_000), 'a '.repeat(50_000))).toBeCloseTo(1, 5);
  });
});

it('compares only answers, in the output phase', () => {
  expect([similar.comparesAnswers, similar.phases]).toEqual([true, ['output']]);
});
