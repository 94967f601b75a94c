/** Sums of decimal prices are off by tiny amounts, which must not be rounded up to a whole unit. */
const tolerance = 1e-3;

/** US dollars in whole billionths, rounded up. */
export const nanoUsd = (usd: number): number => Math.max(0, Math.ceil(usd * 1e9 - tolerance));
