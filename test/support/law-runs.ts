/**
 * How often a law is tried. Mutation testing sets LAW_RUNS lower, and takes the first counterexample as it is: a mutant
 * need not be explained. A long run sets it higher.
 */
const usual = 1000;
const numRuns = Number(process.env.LAW_RUNS ?? usual);

export const lawRuns: { readonly numRuns: number; readonly endOnFailure: boolean } = {
  numRuns,
  endOnFailure: numRuns < usual,
};

/**
 * The same for a law whose cases are dear, or that is tried for each of a list: a quarter as often. LAW_RUNS=4000 tries
 * it a thousand times.
 */
export const dearLawRuns: { readonly numRuns: number; readonly endOnFailure: boolean } = {
  ...lawRuns,
  numRuns: Math.ceil(numRuns / 4),
};

/** Milliseconds for a law that takes its time. */
export const slowLawMs: number = 120_000 * Math.max(1, numRuns / usual);
