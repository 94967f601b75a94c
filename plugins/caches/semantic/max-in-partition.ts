/** The most rows of a partition: the oldest are dropped. */
export const maxInPartition = 64;
