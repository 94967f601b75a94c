/** The maximum number of rows in a partition. The oldest are evicted. */
export const maxInPartition = 64;
