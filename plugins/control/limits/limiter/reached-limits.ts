import { LRUCache } from 'lru-cache';
import type { LimitPolicy } from '../../policies/limit-policy.ts';

/** A counter that has reached the amount at which its policy tells the operator. */
export interface ReachedLimit {
  readonly policy: LimitPolicy;
  readonly bucket: string;
  /** Whole units: what was settled. */
  readonly used: number;
  readonly limit: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** When the counter begins anew, in milliseconds since the epoch; absent if never. */
  readonly resetsAt?: number;
}

/** The most counters of which it is remembered that they were told of. */
const mostTold = 20_000;

/** Tells of each counter once in a window when it reaches `alertAt`. */
export type WatchReached = (reached: ReachedLimit) => void;

export const watchReached = (tell: (reached: ReachedLimit) => void): WatchReached => {
  const told = new LRUCache<string, number>({ max: mostTold });
  return (reached) => {
    const { policy, bucket, used, resetsAt = 0 } = reached;
    if (policy.alertAt === undefined || used < policy.alertAt) return;
    const key = `${policy.id} ${bucket}`;
    if (told.get(key) === resetsAt) return;
    told.set(key, resetsAt);
    tell(reached);
  };
};
