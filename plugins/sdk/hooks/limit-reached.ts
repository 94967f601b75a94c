/** Reports that a counter has reached the alert threshold of its policy, or its limit, for the first time in its window. */
export interface LimitReached {
  readonly kind: 'threshold' | 'exhausted';
  /** The id of the policy, or of the resource that has the limit. */
  readonly policy: string;
  /** The display name. */
  readonly name: string;
  /** The bucket, by the values that the limit groups by: `metadata._user:alice`. Empty if the limit does not group. */
  readonly bucket: string;
  /** The unit that is counted; `nanoUsd` are billionths of a US dollar. */
  readonly unit: 'requests' | 'tokens' | 'nanoUsd';
  readonly used: number;
  readonly limit: number;
  readonly organisation: string;
  readonly workspace: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** When the counter resets, in milliseconds since the epoch. Absent if it never does. */
  readonly resetsAt?: number;
}
