import type { Cancellation } from '../http/http.ts';
import { FairShares } from './fair-shares.ts';

/** The maximum number of waiting claims of one tenant, unless a pool specifies another. */
export const maxQueuedClaims = 1000;

/** The size of a pool that all tenants share. One tenant holds at most a quarter of it. */
export interface PoolSize {
  /** The maximum number of places that all tenants hold together. */
  readonly size: number;
  /** The maximum number of waiting claims of one tenant. If 0, a claim is refused immediately if there is no place. */
  readonly maxQueued: number;
}

/** A place of a pool. It is given back once, however often `release` is called. */
export interface Place {
  release(): void;
}

/** `full`: the tenant has the maximum number of waiting claims. `left`: the claim was cancelled while it waited. */
export type Claim = ({ readonly kind: 'granted' } & Place) | { readonly kind: 'full' } | { readonly kind: 'left' };

/** A pool that tenants share fairly, however many places each of them claims. */
export interface FairPool extends PoolSize {
  /** The number of places that one tenant may hold. */
  readonly share: number;
  /** Takes a place now. Returns undefined if there is none, or if another claim is waiting for it. */
  take(tenant: string): Place | undefined;
  /** Takes a place, after the claims that are before it in turn. */
  claim(tenant: string, cancellation: Cancellation): Promise<Claim>;
  /** Counts the places taken, the claims waiting, and the tenants about which anything is remembered. */
  count(): { readonly taken: number; readonly waiting: number; readonly tenants: number };
}

/** Called with a place when it is available. */
type Waiter = (place: Place) => void;

export const createFairPool = ({ size, maxQueued }: PoolSize): FairPool => {
  const shares = new FairShares(size);
  /** The claims of each tenant, in order. */
  const queues = new Map<string, Set<Waiter>>();

  const toPlace = (tenant: string): Place => {
    let isHeld = true;
    return {
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        shares.give(tenant);
        serve();
      },
    };
  };

  const withdraw = (tenant: string, waiter: Waiter): void => {
    const queue = queues.get(tenant);
    queue?.delete(waiter);
    if (queue?.size !== 0) return;
    queues.delete(tenant);
    shares.leave(tenant);
  };

  const serve = (): void => {
    for (let tenant = shares.next(); tenant !== undefined; tenant = shares.next()) {
      const [first] = queues.get(tenant) ?? [];
      if (first === undefined) throw new Error(`The tenant ${tenant} waits in a pool without a claim.`);
      withdraw(tenant, first);
      first(toPlace(tenant));
    }
  };

  /** A claim only waits if its tenant is at its share or the pool is full, so a tenant that has room overtakes nobody. */
  const take = (tenant: string): Place | undefined => (shares.take(tenant) ? toPlace(tenant) : undefined);

  return {
    ...{ size, maxQueued, share: shares.share, take },
    claim: (tenant, cancellation) => {
      if (cancellation.cancelled) return Promise.resolve({ kind: 'left' });
      const place = take(tenant);
      if (place !== undefined) return Promise.resolve({ kind: 'granted', ...place });
      const queue = queues.get(tenant) ?? new Set();
      if (queue.size >= maxQueued) return Promise.resolve({ kind: 'full' });
      queues.set(tenant, queue);
      shares.wait(tenant);
      return new Promise((resolve) => {
        const waiter: Waiter = (granted) => {
          stopListening();
          resolve({ kind: 'granted', ...granted });
        };
        queue.add(waiter);
        const stopListening = cancellation.onCancel(() => {
          withdraw(tenant, waiter);
          resolve({ kind: 'left' });
        });
      });
    },
    count: () => ({
      taken: shares.taken,
      waiting: [...queues.values()].reduce((sum, { size: each }) => sum + each, 0),
      tenants: shares.tenants,
    }),
  };
};
