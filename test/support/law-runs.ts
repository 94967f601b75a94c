/**
 * How often a law is tried: a sample, which is another one each time, and whose seed a failure prints. LAW_RUNS=1000
 * tries the whole, and a long run sets it higher.
 */
const sample = 300;
const numRuns = Number(process.env.LAW_RUNS ?? sample);

/** Mutation testing sets it lower, and takes the first counterexample as it is: a mutant need not be explained. */
export const lawRuns: { readonly numRuns: number; readonly endOnFailure: boolean } = {
  numRuns,
  endOnFailure: numRuns < sample,
};

/** The same for a law whose cases are dear, or that is tried for each of a list: a quarter as often. */
export const dearLawRuns: { readonly numRuns: number; readonly endOnFailure: boolean } = {
  ...lawRuns,
  numRuns: Math.ceil(numRuns / 4),
};

/** Milliseconds for a law that takes its time. */
export const slowLawMs: number = 120_000 * Math.max(1, numRuns / 1000);
