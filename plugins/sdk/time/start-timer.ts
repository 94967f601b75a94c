const longestMs = 2 ** 31 - 1;

/** Calls back after `ms` milliseconds, or after 24 days if that is sooner: a longer timer of Node's would fire at once. */
export const startTimer = (ms: number, run: () => void): NodeJS.Timeout => setTimeout(run, Math.min(ms, longestMs));
