/** A probability as numerator and denominator. */
export type Fraction = readonly [bigint, bigint];

/** All possibilities with their probabilities. Equal ones may occur more than once. */
export type Chances<Thing> = readonly (readonly [Fraction, Thing])[];

export const certain = <Thing>(thing: Thing): Chances<Thing> => [[[1n, 1n], thing]];

/** Picks one of these things in proportion to the weights. */
export const oneOf = <Thing>(things: readonly (readonly [weight: bigint, Thing])[]): Chances<Thing> => {
  const total = things.reduce((sum, [weight]) => sum + weight, 0n);
  return things.filter(([weight]) => weight > 0n).map(([weight, thing]) => [[weight, total], thing]);
};

/** Chains possibilities with what can follow each of them. */
export const andThen = <Before, After>(
  chances: Chances<Before>,
  next: (before: Before) => Chances<After>,
): Chances<After> =>
  chances.flatMap(([[a, b], before]) =>
    next(before).map(([[c, d], after]): readonly [Fraction, After] => [[a * c, b * d], after]),
  );

const divisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : divisor(b, a % b));

const reduced = ([a, b]: Fraction): Fraction => [a / divisor(a, b), b / divisor(a, b)];

export const plus = ([a, b]: Fraction, [c, d]: Fraction): Fraction => reduced([a * d + c * b, b * d]);

export const printed = (fraction: Fraction): string => reduced(fraction).join('/');
