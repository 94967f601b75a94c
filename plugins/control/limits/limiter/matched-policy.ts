import type { LimitPolicy } from '../../policies/limit-policy.ts';

/** A policy that covers a request, and which of its counters the request belongs to. */
export interface MatchedPolicy {
  readonly policy: LimitPolicy;
  readonly bucket: string;
  /** Whether another target may be free of the limit. */
  readonly isOfTarget: boolean;
  /** Its place in the list. */
  readonly order: number;
  /** Whether the operator may be told something of its counters. */
  readonly isWatched: boolean;
}
