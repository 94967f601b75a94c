interface Condition {
  readonly key: string;
  readonly value: string | readonly string[];
  readonly excludes?: string | readonly string[];
}

interface PolicyParts {
  readonly id: string;
  readonly name: string | null;
  readonly conditions: readonly Condition[];
  readonly group_by: readonly { readonly key: string }[];
  /** ISO 8601. */
  readonly created_at: string;
}

export interface Budget extends PolicyParts {
  readonly object: 'policy_usage_limits';
  readonly type: 'cost' | 'tokens';
  readonly credit_limit: number;
  readonly alert_threshold: number | null;
  readonly periodic_reset: 'monthly' | 'weekly' | null;
  readonly periodic_reset_days: number | null;
  readonly last_reset_at: string | null;
  readonly next_usage_reset_at: string | null;
}

export interface RatePolicy extends PolicyParts {
  readonly object: 'policy_rate_limits';
  readonly type: 'requests' | 'tokens';
  readonly unit: 'rpm' | 'rph' | 'rpd';
  readonly value: number;
}

export type Policy = Budget | RatePolicy;

/** The counter of one combination of values. */
export interface Counter {
  readonly id: string;
  readonly value_key: string;
  readonly current_usage: number;
}

/** Returns the path of a policy in the control API. */
export const policyPath = ({ object, id }: Pick<Policy, 'object' | 'id'>): string =>
  `/policies/${object === 'policy_usage_limits' ? 'usage-limits' : 'rate-limits'}/${encodeURIComponent(id)}`;

export const policyLimit = (policy: Policy): number =>
  policy.object === 'policy_usage_limits' ? policy.credit_limit : policy.value;
