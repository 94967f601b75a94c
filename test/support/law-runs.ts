/**
 * How often a law is tried: a sample, which is another one each time, and whose seed a failure prints. LAW_RUNS=1000
 * tries the whole, and a long run sets it higher. LAW_SEED=1 tries the same sample each time.
 */
const sample = 300;
const { LAW_RUNS: runs = sample, LAW_SEED: seed } = process.env;
const numRuns = Number(runs);

interface LawRuns {
  readonly numRuns: number;
  readonly endOnFailure: boolean;
  readonly seed?: number;
}

/** Mutation testing sets it lower, and takes the first counterexample as it is: a mutant need not be explained. */
export const lawRuns: LawRuns = {
  numRuns,
  endOnFailure: numRuns < sample,
  ...(seed === undefined ? {} : { seed: Number(seed) }),
};

/** The same for a law whose cases are dear, or that is tried for each of a list: a quarter as often. */
export const dearLawRuns: LawRuns = {
  ...lawRuns,
  numRuns: Math.ceil(numRuns / 4),
};

/** For a law that is dearer still, or that is tried for each of a long list: a twelfth. */
export const dearestLawRuns: LawRuns = {
  ...lawRuns,
  numRuns: Math.ceil(numRuns / 12),
};

/** Milliseconds for a law that takes its time. */
export const slowLawMs: number = 120_000 * Math.max(1, numRuns / 1000);
