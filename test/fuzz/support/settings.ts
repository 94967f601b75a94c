const { FUZZ_RUNS, FUZZ_SEED, FUZZ_CASE } = process.env;

/** The number of cases per dialect. */
export const fuzzRuns: number = Number(FUZZ_RUNS ?? 3000);

/** The seed of a run. It differs each time, unless a run is repeated. */
export const fuzzSeed: number = Number(FUZZ_SEED ?? Date.now() % 1_000_000_000);

/** The only case to run, to repeat one that has failed. */
export const onlyCase: number | undefined = FUZZ_CASE === undefined ? undefined : Number(FUZZ_CASE);
