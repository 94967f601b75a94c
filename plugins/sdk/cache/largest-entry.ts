/** A larger entry would drive too many others out. */
const largestShare = 10;

/** The most bytes of one entry of a cache that may have this many. */
export const largestEntry = (maxBytes: number): number => Math.max(1, Math.floor(maxBytes / largestShare));
