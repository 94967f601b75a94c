/**
 * Where each of a list meets each of another, or a stream is cut at very many places, `npm test` tries a sample, which is
 * another one each day: `choose-sample.ts` prints its number. SAMPLE=all tries everything.
 */
const { SAMPLE = '0' } = process.env;

const isWhole = SAMPLE === 'all';

/** The number of the sample, for what begins to count somewhere else in each; 0 where everything is tried. */
export const sampleNumber: number = isWhole ? 0 : Number(SAMPLE);

/** By how much fewer are tried. */
export const thinned = (by: number): number => (isWhole ? 1 : by);

/**
 * Whether the members of two lists with these indices are tried together. One pair of `oneIn` is, and each member of a list
 * is in some of them where the other list has at least so many.
 */
export const isSampled = (one: number, other: number, oneIn: number): boolean =>
  isWhole || (one + other + sampleNumber) % oneIn === 0;
