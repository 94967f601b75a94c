import { createFairPool, type FairPool, maxQueuedClaims, type PoolSize } from '../../../sdk/fairness/fair-pool.ts';

/** The pools by their names. */
export type PoolName = 'eventStreams' | 'exports' | 'fileTransfers' | 'logReads';

/** A pool, and what its places are to whoever claims them, in the plural. */
interface NamedSize extends PoolSize {
  readonly what: string;
}

/**
 * What the routes of the control plane have open for all tenants of a process, beside the jobs, which have pools of their own
 * (`concurrency` of each kind). Of each, a tenant has at most a quarter.
 */
export const poolSizes: Readonly<Record<PoolName, NamedSize>> = {
  /** Streams of events stay open for as long as their clients like, so that nobody waits for one. */
  eventStreams: { size: 4096, maxQueued: 0, what: 'event streams' },
  exports: { size: 64, maxQueued: maxQueuedClaims, what: 'exports' },
  fileTransfers: { size: 256, maxQueued: maxQueuedClaims, what: 'transfers of files' },
  logReads: { size: 16, maxQueued: maxQueuedClaims, what: 'reads of the log' },
};

export type SharedPool = FairPool & Pick<NamedSize, 'what'>;

export type SharedPools = { readonly [Name in PoolName]: SharedPool };

const createPool = (size: NamedSize): SharedPool => ({ ...createFairPool(size), what: size.what });

export const createSharedPools = (): SharedPools => ({
  eventStreams: createPool(poolSizes.eventStreams),
  exports: createPool(poolSizes.exports),
  fileTransfers: createPool(poolSizes.fileTransfers),
  logReads: createPool(poolSizes.logReads),
});
