import { nanoPerUsd } from '../../../schema/usage/usage-record.ts';

/** Sums of decimal prices are off by tiny amounts, which must not be rounded up to a whole unit. */
const tolerance = 1e-3;

const rounded = (nano: number): number => Math.max(0, Math.ceil(nano - tolerance));

/** Converts US dollars to whole billionths, rounded up. */
export const nanoUsd = (usd: number): number => rounded(usd * nanoPerUsd);

/** Converts trillionths of a US dollar to whole billionths, rounded up. */
export const nanoOfPico = (pico: number): number => rounded(pico / 1000);
