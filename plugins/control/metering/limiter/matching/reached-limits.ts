import { LRUCache } from 'lru-cache';
import type { LimitPolicy } from '../../../kernel/limits/limit-policy.ts';

/** What the operator is told of a counter: that it has reached the alert of its policy, or its limit. */
export type ReachedKind = 'threshold' | 'exhausted';

/** What a counter has. */
export interface CounterUse {
  readonly policy: LimitPolicy;
  readonly bucket: string;
  readonly organisation: string;
  readonly workspace: string;
  /** Whole units: what was settled. */
  readonly used: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** When the counter begins anew, in milliseconds since the epoch; absent if never. */
  readonly resetsAt?: number;
}

/** A counter that has reached something for the first time in its window. */
export interface ReachedLimit extends CounterUse {
  readonly kind: ReachedKind;
}

/** The most counters of which it is remembered that they were told of. */
const maxNotified = 20_000;

interface Mark {
  readonly kind: ReachedKind;
  readonly at: number;
}

/**
 * What the operator is told of when it is used. Rate limits are there to be reached: of them the operator is told only what
 * their policy asks for.
 */
const toMarks = ({ alertAt, kind, limit }: LimitPolicy): readonly Mark[] => [
  ...(alertAt !== undefined ? [{ kind: 'threshold', at: alertAt } as const] : []),
  ...(kind === 'usage' && limit > 0 ? [{ kind: 'exhausted', at: limit } as const] : []),
];

/** What a counter of a policy has at least where the operator is told something of it; infinite if that is never. */
export const watchedFrom = (policy: LimitPolicy): number => Math.min(...toMarks(policy).map(({ at }) => at));

/** Sees how full counters are. */
export interface ReachedWatch {
  /** Whether it has told of counters, of which it wants to see also that they are below what it told. */
  readonly hasNotified: boolean;
  see(use: CounterUse): void;
}

/**
 * Tells of each counter once in a window when it reaches the alert of its policy, and once when it reaches its limit; again
 * when it was below that meanwhile, because somebody has reset it. What it tells may have been told: of that
 * `notifyReached` decides.
 */
export const watchReached = (notify: (reached: ReachedLimit) => void): ReachedWatch => {
  const notified = new LRUCache<string, number>({ max: maxNotified });
  return {
    get hasNotified() {
      return notified.size > 0;
    },
    see(use) {
      for (const { kind, at } of toMarks(use.policy)) {
        const isReached = use.used >= at;
        if (!isReached && notified.size === 0) continue;
        const key = `${kind} ${use.policy.id} ${use.bucket}`;
        const window = use.resetsAt ?? 0;
        if (!isReached) notified.delete(key);
        else if (notified.get(key) !== window) {
          notified.set(key, window);
          notify({ ...use, kind });
        }
      }
    },
  };
};
