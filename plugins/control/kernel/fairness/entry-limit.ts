/** Options of an `LRUCache` that limit its number of entries. */
export interface EntryLimit {
  readonly maxSize: number;
  readonly sizeCalculation: () => number;
}

/**
 * Limits the number of entries of an `LRUCache`. Its option `max` does too, but allocates memory for so many entries at once, which
 * a cache for thousands of tenants or tokens rarely needs.
 */
export const entryLimit = (max: number): EntryLimit => ({ maxSize: max, sizeCalculation: () => 1 });
