import { gatewayError } from '../../../../schema/errors/errors.ts';
import {
  createFairPool,
  type FairPool,
  maxQueuedClaims,
  type Place,
  type PoolSize,
} from '../../../sdk/fairness/fair-pool.ts';
import type { Cancellation, GatewayResponse } from '../../../sdk/http/http.ts';

/** The pools by their names. */
export type PoolName = 'eventStreams' | 'exports' | 'fileTransfers' | 'logReads' | 'logStreams' | 'trials';

/** A pool, and what its places are to whoever claims them, in the plural. */
interface NamedSize extends PoolSize {
  readonly what: string;
}

/**
 * The sizes of the pools of open requests of the control plane for all tenants of a process, beside the jobs, which
 * have pools of their own (`concurrency` of each kind). Of each, a tenant has at most a quarter.
 */
export const poolSizes: Readonly<Record<PoolName, NamedSize>> = {
  /** Streams of events stay open for as long as their clients like, so that nobody waits for one. */
  eventStreams: { size: 4096, maxQueued: 0, what: 'event streams' },
  exports: { size: 64, maxQueued: maxQueuedClaims, what: 'exports' },
  fileTransfers: { size: 256, maxQueued: maxQueuedClaims, what: 'transfers of files' },
  logReads: { size: 16, maxQueued: maxQueuedClaims, what: 'reads of the log' },
  trials: { size: 32, maxQueued: maxQueuedClaims, what: 'trials of providers and guardrails' },
  /** Of each, events wait for a reader that is slow: 256 KB at most. */
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

/** For whom a place is claimed, and until when it is waited for. */
export interface Claimant {
  readonly tenant: string;
  readonly cancellation: Cancellation;
}

/**
 * Takes a place of a pool in its turn. Rejects with the `GatewayError` `queue-full`, or `share-full` where nobody waits, if
 * the tenant has too many claims already.
 */
export const claimPlace = async (pool: SharedPool, { tenant, cancellation }: Claimant): Promise<Place> => {
  const claim = await pool.claim(tenant, cancellation);
  if (claim.kind === 'granted') return claim;
  const { what, share, size, maxQueued } = pool;
  // Whoever has left gets no answer.
  throw maxQueued === 0
    ? gatewayError('share-full', { what, share, size })
    : gatewayError('queue-full', { what, max: maxQueued });
};

/** Runs with a place of a pool. */
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

/** The answer, which holds the place until its body has ended or its client has left. */
export const holdUntilEnd = (answer: GatewayResponse, place: Place, cancellation: Cancellation): GatewayResponse => {
  if (answer.body.kind === 'stream') {
    answer.body.onEnd(place.release);
    cancellation.onCancel(place.release);
  } else place.release();
  return answer;
};

/** Answers with a place of a pool, which the answer holds until its body has ended. */
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
