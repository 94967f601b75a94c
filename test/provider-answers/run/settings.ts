const { ANSWER_RUNS, ANSWER_SEED } = process.env;

/** Cases for each account. */
export const runs: number = Number(ANSWER_RUNS ?? 4);

/** Another one each time, unless a run is repeated. */
export const seed: number = Number(ANSWER_SEED ?? Date.now() % 1_000_000_000);
