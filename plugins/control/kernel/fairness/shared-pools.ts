import { gatewayError } from '../../../../schema/errors/errors.ts';
import {
  createFairPool,
  type FairPool,
  maxQueuedClaims,
  type Place,
  type PoolSize,
} from '../../../sdk/fairness/fair-pool.ts';
import type { Cancellation, GatewayResponse } from '../../../sdk/http/http.ts';

/** The names of the pools. */
export type PoolName = 'eventStreams' | 'exports' | 'fileTransfers' | 'logReads' | 'logStreams' | 'trials';

/** A pool, and the name of its places for the caller, in the plural. */
interface NamedSize extends PoolSize {
  readonly what: string;
}

/**
 * The sizes of the pools for open requests of the control plane, for all tenants of a process. Jobs have their own pools
 * (`concurrency` of each kind). A tenant gets at most a quarter of each.
 */
export const poolSizes: Readonly<Record<PoolName, NamedSize>> = {
  /** Event streams stay open as long as their clients like, so requests do not wait for one. */
  eventStreams: { size: 4096, maxQueued: 0, what: 'event streams' },
  exports: { size: 64, maxQueued: maxQueuedClaims, what: 'exports' },
  fileTransfers: { size: 256, maxQueued: maxQueuedClaims, what: 'transfers of files' },
  logReads: { size: 16, maxQueued: maxQueuedClaims, what: 'reads of the log' },
  trials: { size: 32, maxQueued: maxQueuedClaims, what: 'trials of providers and guardrails' },
  /** Each stream buffers events for a slow reader, at most 256 KB. */
  logStreams: { size: 256, maxQueued: 0, what: 'streams of the log' },
};

type SharedPool = FairPool & Pick<NamedSize, 'what'>;

export type SharedPools = Readonly<Record<PoolName, SharedPool>>;

const createPool = (size: NamedSize): SharedPool => ({ ...createFairPool(size), what: size.what });

export const createSharedPools = (): SharedPools => ({
  eventStreams: createPool(poolSizes.eventStreams),
  exports: createPool(poolSizes.exports),
  fileTransfers: createPool(poolSizes.fileTransfers),
  logReads: createPool(poolSizes.logReads),
  trials: createPool(poolSizes.trials),
  logStreams: createPool(poolSizes.logStreams),
});

/** The tenant that claims a place, and until when it waits for one. */
export interface Claimant {
  readonly tenant: string;
  readonly cancellation: Cancellation;
}

/**
 * Takes a place of a pool in its turn. If the tenant has too many claims already, rejects with the `GatewayError` `queue-full`,
 * or with `share-full` if the pool has no queue.
 */
export const claimPlace = async (pool: SharedPool, { tenant, cancellation }: Claimant): Promise<Place> => {
  const claim = await pool.claim(tenant, cancellation);
  if (claim.kind === 'granted') return claim;
  const { what, share, size, maxQueued } = pool;
  // A client that has disconnected gets no response.
  throw maxQueued === 0
    ? gatewayError('share-full', { what, share, size })
    : gatewayError('queue-full', { what, max: maxQueued });
};

/** Runs a function while holding a place of a pool. */
export const withPlace = async <Result>(
  pool: SharedPool,
  claimant: Claimant,
  run: () => Promise<Result>,
): Promise<Result> => {
  const place = await claimPlace(pool, claimant);
  try {
    return await run();
  } finally {
    place.release();
  }
};

/** Returns the response, which holds the place until its body has ended or its client has disconnected. */
export const holdUntilEnd = (answer: GatewayResponse, place: Place, cancellation: Cancellation): GatewayResponse => {
  if (answer.body.kind === 'stream') {
    answer.body.onEnd(place.release);
    cancellation.onCancel(place.release);
  } else place.release();
  return answer;
};

/** Responds while holding a place of a pool, until the body of the response has ended. */
export const answerWithPlace = async (
  pool: SharedPool,
  claimant: Claimant,
  answer: () => Promise<GatewayResponse>,
): Promise<GatewayResponse> => {
  const place = await claimPlace(pool, claimant);
  try {
    return holdUntilEnd(await answer(), place, claimant.cancellation);
  } catch (error) {
    place.release();
    throw error;
  }
};
