/** Converts milliseconds to whole seconds, because times are shown in seconds since the epoch. */
export const toSeconds = (ms: number): number => Math.floor(ms / 1000);

export const secondsOrNull = (ms: number | null): number | null => (ms === null ? null : toSeconds(ms));
