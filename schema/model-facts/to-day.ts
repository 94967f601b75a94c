/** Returns the day of a time in milliseconds since the epoch, in UTC: `2026-11-24`. */
export const toDay = (at: number): string => new Date(at).toISOString().slice(0, 10);
