import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { Place } from '../../../sdk/fairness/fair-pool.ts';
import type { Cancellation, GatewayResponse } from '../../../sdk/http/http.ts';
import type { SharedPool } from './shared-pools.ts';

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
  // Whoever has left is not told anything.
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
