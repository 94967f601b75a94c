import type { LimitPolicy } from '../../../kernel/limits/limit-policy.ts';

/** A policy that covers a request, and which of its counters the request belongs to. */
export interface MatchedPolicy {
  readonly policy: LimitPolicy;
  readonly bucket: string;
  /** Whether another target may be free of the limit. */
  readonly isOfTarget: boolean;
  /** Its place in the list. */
  readonly order: number;
  /** What its counters have at least where the operator is told something of them; infinite if that is never. */
  readonly watchedFrom: number;
}
