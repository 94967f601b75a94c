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

/** Milliseconds for a law that takes its time. */
export const slowLawMs: number = 120_000 * Math.max(1, numRuns / usual);
