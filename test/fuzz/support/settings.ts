const { FUZZ_RUNS, FUZZ_SEED, FUZZ_CASE } = process.env;

/** Cases per dialect. */
export const fuzzRuns: number = Number(FUZZ_RUNS ?? 3000);

/** The seed of a run: another one each time, unless a run is repeated. */
export const fuzzSeed: number = Number(FUZZ_SEED ?? Date.now() % 1_000_000_000);

/** The only case to run, for one that has failed. */
export const onlyCase: number | undefined = FUZZ_CASE === undefined ? undefined : Number(FUZZ_CASE);
