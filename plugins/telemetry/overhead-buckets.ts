/** Buckets for the gateway's own time in seconds: from a tenth of a millisecond to one second. */
export const overheadBuckets: readonly number[] = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1,
];
