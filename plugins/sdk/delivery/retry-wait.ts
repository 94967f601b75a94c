const firstMs = 500;
const longestMs = 30_000;

/** Returns the milliseconds before a retry, counted from 0: between half and the whole of a time that doubles with each retry. */
export const retryWaitMs = (retry: number, random: number): number =>
  Math.min(firstMs * 2 ** retry, longestMs) * (0.5 + random / 2);
