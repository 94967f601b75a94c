import type { LimitPolicy } from './limit-policy.ts';

/** One counter of a policy. */
export interface PolicyBucket {
  /** As the charges of the policy name it. */
  readonly bucket: string;
  /** The values of the keys that the policy groups by, in their order; absent where the name of the counter does not have them: it is shared, or was too long. */
  readonly values?: readonly string[];
  /** The usage in its window, in whole units. */
  readonly used: number;
  /** Whether the operator was notified in its window that the threshold, or the limit, was reached. */
  readonly notified: { readonly threshold: boolean; readonly exhausted: boolean };
}

/** Reads the usage of limits, for people. */
export interface CounterReader {
  /** For each policy, in their order, the counters that have used something in their windows. */
  readBuckets(policies: readonly LimitPolicy[]): Promise<readonly (readonly PolicyBucket[])[]>;
  /** Sets what a counter has used in its window to 0. */
  reset(policy: LimitPolicy, bucket: string): Promise<void>;
}

/** Where nothing is counted. */
export const noCounters: CounterReader = {
  readBuckets: async (policies) => policies.map(() => []),
  reset: async () => {},
};
