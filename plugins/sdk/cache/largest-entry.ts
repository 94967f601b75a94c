/** A larger entry would evict too many others. */
const largestShare = 10;

/** Returns the maximum size in bytes of one entry, for a cache of this many bytes. */
export const largestEntry = (maxBytes: number): number => Math.max(1, Math.floor(maxBytes / largestShare));
