import type { Cancellation } from '../http/http.ts';
import { FairShares } from './fair-shares.ts';

/** How many claims of one tenant wait at most, unless a pool says otherwise. */
export const maxQueuedClaims = 1000;

/** How large a pool is that all tenants share, of which one holds at most a quarter. */
export interface PoolSize {
  /** How many places all tenants hold together at most. */
  readonly size: number;
  /** How many claims of one tenant may wait; with 0 a claim without a place is refused at once. */
  readonly maxQueued: number;
}

/** A place of a pool. It is given back once, however often that is said. */
export interface Place {
  release(): void;
}

/** `full`: as many claims of the tenant wait as may. `left`: it was cancelled while it waited. */
export type Claim = ({ readonly kind: 'granted' } & Place) | { readonly kind: 'full' } | { readonly kind: 'left' };

/** A pool that tenants share fairly, whatever each of them claims. */
export interface FairPool extends PoolSize {
  /** How many places one tenant may hold. */
  readonly share: number;
  /** Takes a place now; undefined if there is none, or somebody waits for it. */
  take(tenant: string): Place | undefined;
  /** Takes a place, after those that wait before it in turn. */
  claim(tenant: string, cancellation: Cancellation): Promise<Claim>;
  /** How many places are taken, how many claims wait, and of how many tenants anything is remembered. */
  count(): { readonly taken: number; readonly waiting: number; readonly tenants: number };
}

/** Called with a place when it is there. */
type Waiter = (place: Place) => void;

export const createFairPool = ({ size, maxQueued }: PoolSize): FairPool => {
  const shares = new FairShares(size);
  /** The claims of each tenant, in their order. */
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

  /** Every waiting call is at its share, or the pool is full: a tenant that has room overtakes nobody. */
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
