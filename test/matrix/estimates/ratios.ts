/** The ratios of estimates to the actual token counts. 1 means that they are equal. */
export interface Ratios {
  readonly count: number;
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

/** Computes the summary of at least one ratio. */
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
