import { greatestDivisor } from '../optimise/coprime.ts';

/** An exact fraction of whole numbers in lowest terms; the denominator is at least 1. */
export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Creates a fraction of at least 0; the denominator must be above 0. */
export const rational = (numerator: bigint, denominator: bigint): Rational => {
  const divisor = greatestDivisor(numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
};

export const one: Rational = rational(1n, 1n);
export const zero: Rational = rational(0n, 1n);

export const add = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);

export const multiply = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.numerator, a.denominator * b.denominator);

/** Converts a fraction to a number, however long its parts are. */
export const toNumber = ({ numerator, denominator }: Rational): number =>
  Number((numerator * 10n ** 15n) / denominator) / 1e15;

/** Formats a fraction as `2/3`; whole numbers keep their denominator of 1. */
export const formatRational = ({ numerator, denominator }: Rational): string => `${numerator}/${denominator}`;

/** Parses what `formatRational` writes; throws a `SyntaxError` for anything else. */
export const parseRational = (text: string): Rational => {
  const [numerator = '', denominator = ''] = text.split('/');
  return rational(BigInt(numerator), BigInt(denominator));
};
