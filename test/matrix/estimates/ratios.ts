/** What estimates are to the counts of tokens they stand for: 1 where they are equal. */
export interface Ratios {
  readonly count: number;
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

/** There must be one. */
export const toRatios = (ratios: readonly number[]): Ratios => {
  const sorted = ratios.toSorted((one, other) => one - other);
  const at = (index: number): number => {
    const ratio = sorted.at(index);
    if (ratio === undefined) throw new RangeError('There is no ratio.');
    return ratio;
  };
  const half = Math.floor(sorted.length / 2);
  const median = sorted.length % 2 === 1 ? at(half) : (at(half - 1) + at(half)) / 2;
  return { count: sorted.length, median, lowest: at(0), highest: at(-1) };
};

export const formatRatio = (ratio: number): string => ratio.toFixed(2);
