/**
 * How often a law is tried. Mutation testing sets LAW_RUNS lower, and takes the first counterexample as it is: a mutant
 * need not be explained.
 */
const fewer = process.env.LAW_RUNS;

export const lawRuns: { readonly numRuns: number; readonly endOnFailure: boolean } =
  fewer === undefined ? { numRuns: 1000, endOnFailure: false } : { numRuns: Number(fewer), endOnFailure: true };
