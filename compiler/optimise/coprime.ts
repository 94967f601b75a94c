/** Returns the greatest whole number that divides both; the other number if one is 0. */
export const greatestDivisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : greatestDivisor(b, a % b));

const greatestSum = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Returns the smallest whole numbers in the same ratio; undefined if their sum is not a safe integer. At least one weight must be
 * above 0.
 */
export const coprime = (weights: readonly bigint[]): readonly number[] | undefined => {
  const divisor = weights.reduce(greatestDivisor);
  const smallest = weights.map((weight) => weight / divisor);
  return smallest.reduce((sum, weight) => sum + weight) > greatestSum ? undefined : smallest.map(Number);
};
