/** Pearson's statistic of counts, and its degrees of freedom. Outcomes with a low expected count are combined. */
export const chiSquare = (
  counts: ReadonlyMap<string, number>,
  odds: ReadonlyMap<string, number>,
  total: number,
): { readonly statistic: number; readonly degrees: number } => {
  const cells = new Map<string, { observed: number; expected: number }>();
  for (const [key, probability] of odds) {
    const name = probability * total < 5 ? 'rare' : `of ${key}`;
    const cell = cells.get(name) ?? { observed: 0, expected: 0 };
    cells.set(name, {
      observed: cell.observed + (counts.get(key) ?? 0),
      expected: cell.expected + probability * total,
    });
  }
  const statistic = [...cells.values()].reduce(
    (sum, { observed, expected }) => sum + (observed - expected) ** 2 / expected,
    0,
  );
  return { statistic, degrees: Math.max(1, cells.size - 1) };
};

/** The value that the statistic exceeds once in a million times (Wilson and Hilferty's approximation). */
export const chiSquareLimit = (degrees: number): number => {
  const normal = 4.753;
  const part = 2 / (9 * degrees);
  return degrees * (1 - part + normal * Math.sqrt(part)) ** 3;
};
