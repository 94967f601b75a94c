/**
 * If each item of one list is combined with each item of another, or a stream is cut at very many places, `npm test` tries a
 * sample that differs each day: `choose-sample.ts` prints its number. SAMPLE=all tries everything.
 */
const { SAMPLE = '0' } = process.env;

const isWhole = SAMPLE === 'all';

/** The number of the sample, for tests that start at a different place in each. 0 if everything is tried. */
export const sampleNumber: number = isWhole ? 0 : Number(SAMPLE);

/** Returns the factor by which fewer cases are tried. */
export const thinned = (by: number): number => (isWhole ? 1 : by);

/**
 * Whether the members of two lists at these indices are tried together. One in `oneIn` pairs is, and each member of a list is
 * in some of them if the other list has at least that many.
 */
export const isSampled = (one: number, other: number, oneIn: number): boolean =>
  isWhole || (one + other + sampleNumber) % oneIn === 0;
