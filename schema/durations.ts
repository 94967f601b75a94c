export const hourMs = 3_600_000;
export const dayMs: number = 24 * hourMs;

/** Returns when the hour began, in milliseconds since the epoch. */
export const startOfHour = (at: number): number => Math.floor(at / hourMs) * hourMs;

/** Returns when the day began, in milliseconds since the epoch. */
export const startOfDay = (at: number): number => Math.floor(at / dayMs) * dayMs;
