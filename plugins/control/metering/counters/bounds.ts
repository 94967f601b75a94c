/** The bounds of both engines. */

/** The buckets of one policy in one window; what comes after them shares `sharedBucket`. */
export const maxBuckets = 10_000;

/** The bucket of all that found no place for their own. */
export const sharedBucket = '*';

/** Milliseconds for which a reservation that has expired can still be corrected. */
export const correctableMs: number = 60 * 60 * 1000;

/** Milliseconds for which it is remembered that something was charged without a reservation. */
export const rememberedMs: number = 7 * 24 * 60 * 60 * 1000;
