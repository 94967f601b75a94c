import { LRUCache } from 'lru-cache';
import type { LimitPolicy } from '../../policies/limit-policy.ts';

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
const mostTold = 20_000;

/** What a use has reached. Rate limits are there to be reached: of them the operator is told only what their policy asks for. */
const reachedBy = ({ policy: { alertAt, kind, limit }, used }: CounterUse): readonly ReachedKind[] => [
  ...(alertAt !== undefined && used >= alertAt ? (['threshold'] as const) : []),
  ...(kind === 'usage' && limit > 0 && used >= limit ? (['exhausted'] as const) : []),
];

/** Tells of each counter once in a window when it reaches the alert of its policy, and once when it reaches its limit. */
export const watchReached = (tell: (reached: ReachedLimit) => void): ((use: CounterUse) => void) => {
  const told = new LRUCache<string, number>({ max: mostTold });
  return (use) => {
    for (const kind of reachedBy(use)) {
      const key = `${kind} ${use.policy.id} ${use.bucket}`;
      const window = use.resetsAt ?? 0;
      if (told.get(key) === window) continue;
      told.set(key, window);
      tell({ ...use, kind });
    }
  };
};
