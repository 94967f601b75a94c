/** A counter that has reached the alert of its policy, or its limit, for the first time in its window. */
export interface LimitReached {
  readonly kind: 'threshold' | 'exhausted';
  /** The id of the policy, or of what has the limit of its own. */
  readonly policy: string;
  /** The name for people. */
  readonly name: string;
  /** The counter, by the values that the limit groups by: `metadata._user:alice`. Empty where it does not group. */
  readonly bucket: string;
  /** The unit that is counted; `nanoUsd` are billionths of a US dollar. */
  readonly unit: 'requests' | 'tokens' | 'nanoUsd';
  readonly used: number;
  readonly limit: number;
  readonly organisation: string;
  readonly workspace: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** When the counter begins anew, in milliseconds since the epoch; absent if never. */
  readonly resetsAt?: number;
}
