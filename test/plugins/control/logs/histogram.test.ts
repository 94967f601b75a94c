import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  addHistogram,
  addHistogramBytes,
  countIn,
  type Histogram,
  histogramBytes,
  largestError,
  middleOf,
  percentile,
  toBucket,
} from '../../../../plugins/control/logs/writer/histogram.ts';

const micros = fc.oneof(fc.nat(2_000_000), fc.nat(100), fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }));

const histogramOf = (values: readonly number[]): Histogram => {
  const histogram = new Map<number, number>();
  for (const value of values) countIn(histogram, toBucket(value));
  return histogram;
};

it('a duration is within the stated error of the middle of its bucket, and buckets sort as durations do', () => {
  fc.assert(
    fc.property(micros, micros, (first, second) => {
      expect(Math.abs(middleOf(toBucket(first)) - first)).toBeLessThanOrEqual(first * largestError);
      if (first <= second) expect(toBucket(first)).toBeLessThanOrEqual(toBucket(second));
    }),
  );
  for (let power = 0; power < 53; power += 1)
    for (const value of [2 ** power - 1, 2 ** power, 2 ** power + 1])
      expect(Math.abs(middleOf(toBucket(value)) - value)).toBeLessThanOrEqual(value * largestError);
});

it('a percentile is within the stated error of the exact value', () => {
  fc.assert(
    fc.property(
      fc.array(micros, { minLength: 1, maxLength: 60 }),
      fc.constantFrom(0.5, 0.9, 0.95, 0.99),
      (all, share) => {
        const sorted = all.toSorted((a, b) => a - b);
        const exact = sorted[Math.ceil(share * all.length) - 1] ?? 0;
        expect(Math.abs((percentile(histogramOf(all), share) ?? -1) - exact)).toBeLessThanOrEqual(exact * largestError);
      },
    ),
  );
  expect(percentile(new Map(), 0.5)).toBeUndefined();
});

it('histograms are added up without loss, and are read back unchanged from bytes', () => {
  fc.assert(
    fc.property(fc.array(micros), fc.array(micros), (first, second) => {
      const sum = new Map<number, number>();
      addHistogramBytes(sum, histogramBytes(histogramOf(first)));
      addHistogram(sum, histogramOf(second));
      expect(sum).toEqual(histogramOf([...first, ...second]));
    }),
  );
  const large = new Map([[1500, Number.MAX_SAFE_INTEGER]]);
  const read = new Map<number, number>();
  addHistogramBytes(read, histogramBytes(large));
  expect(read).toEqual(large);
});
