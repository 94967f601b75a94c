/**
 * How often a law is tried: by default a sample that differs each time and whose seed a failure prints. LAW_RUNS=1000 is the
 * full number, and a long run sets it higher. LAW_SEED=1 repeats the same sample.
 */
const sample = 300;
const { LAW_RUNS: runs = sample, LAW_SEED: seed } = process.env;
const numRuns = Number(runs);

interface LawRuns {
  readonly numRuns: number;
  readonly endOnFailure: boolean;
  readonly seed?: number;
}

/** Mutation testing sets a lower number, and accepts the first counterexample as it is, because a mutant needs no explanation. */
export const lawRuns: LawRuns = {
  numRuns,
  endOnFailure: numRuns < sample,
  ...(seed === undefined ? {} : { seed: Number(seed) }),
};

/** For a law with expensive cases, or one that is tried for each item of a list: a quarter as often. */
export const dearLawRuns: LawRuns = {
  ...lawRuns,
  numRuns: Math.ceil(numRuns / 4),
};

/** For an even more expensive law, or one that is tried for each item of a long list: a twelfth as often. */
export const dearestLawRuns: LawRuns = {
  ...lawRuns,
  numRuns: Math.ceil(numRuns / 12),
};

/** The time-out in milliseconds for a slow law. */
export const slowLawMs: number = 120_000 * Math.max(1, numRuns / 1000);
