const longestMs = 2 ** 31 - 1;

/** Calls `run` after `ms` milliseconds, or after 24 days if that is sooner. Node would fire a longer timer immediately. */
export const startTimer = (ms: number, run: () => void): NodeJS.Timeout => setTimeout(run, Math.min(ms, longestMs));
