const { ANSWER_RUNS, ANSWER_SEED, ANSWER_CASE } = process.env;

/** The number of cases for each account. */
export const runs: number = Number(ANSWER_RUNS ?? 4);

/** Different for each run, unless a run is repeated. */
export const seed: number = Number(ANSWER_SEED ?? Date.now() % 1_000_000_000);

/** The same for each run, because so many pairs of dialects find answers that no provider gives. Others are tried by command. */
export const pairSeed: number = Number(ANSWER_SEED ?? 11);

/** The only case of each pair of dialects to run, to repeat one that has failed. */
export const onlyCase: number | undefined = ANSWER_CASE === undefined ? undefined : Number(ANSWER_CASE);
