import { coprime } from '../optimise/coprime.ts';

interface Decimal {
  readonly digits: bigint;
  /** How many of the digits are after the decimal point; negative for zeros before it. */
  readonly places: number;
}

/** Returns the number exactly as JSON prints it: 0.7 is 7 tenths, not the nearest binary fraction. */
const toDecimal = (value: number): Decimal => {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), places: fraction.length - Number(exponent) };
};

/**
 * Returns the weights (finite, at least 0) as the smallest whole numbers in the same ratio: 0.7 and 0.3 are 7 and 3. Undefined if
 * their sum would not be a safe integer. All zeros stay zeros.
 */
export const wholeWeights = (weights: readonly number[]): readonly number[] | undefined => {
  const decimals = weights.map(toDecimal);
  const places = Math.max(...decimals.map((decimal) => decimal.places));
  const scaled = decimals.map((decimal) => decimal.digits * 10n ** BigInt(places - decimal.places));
  return scaled.some((weight) => weight > 0n) ? coprime(scaled) : weights.map(() => 0);
};
