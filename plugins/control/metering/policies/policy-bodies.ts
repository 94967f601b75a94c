import type { ConditionBody, GroupBody } from '../../kernel/limits/conditions.ts';
import type { UsageLimitsBody } from '../../kernel/limits/usage-limits.ts';
import type { PolicyRow } from '../../kernel/store/tables/tables.ts';

export type PolicyKind = PolicyRow['kind'];
export type PolicyStatus = PolicyRow['status'];

/** What both kinds of policies are made with. */
interface NewPolicy {
  readonly name?: string | null;
  readonly conditions: readonly ConditionBody[];
  readonly group_by: readonly GroupBody[];
  /** What happens to requests whose counter cannot be asked, or whose use cannot be measured or priced. */
  readonly if_unknown?: 'allow' | 'refuse';
  /** An id or a slug. */
  readonly workspace_id?: string;
  readonly organisation_id?: string;
}

export interface NewUsagePolicy extends NewPolicy, Omit<UsageLimitsBody, 'next_usage_reset_at'> {}

export interface NewRatePolicy extends NewPolicy {
  readonly type: 'requests' | 'tokens';
  readonly unit: 'rpm' | 'rph' | 'rpd';
  readonly value: number;
}

/** What changes of a policy: what is absent stays. What it counts, and how it groups, is what its counters are of, and is fixed. */
export interface UsagePolicyChange extends Partial<Omit<UsageLimitsBody, 'next_usage_reset_at' | 'type'>> {
  readonly name?: string | null;
  readonly conditions?: readonly ConditionBody[];
  readonly if_unknown?: 'allow' | 'refuse';
  /** A value key, whose counter is set to 0. */
  readonly reset_usage_for_value?: string;
}

export interface RatePolicyChange {
  readonly name?: string | null;
  readonly unit?: 'rpm' | 'rph' | 'rpd';
  readonly value?: number;
  readonly if_unknown?: 'allow' | 'refuse';
}

/** Which policies are listed. */
export interface PolicyFilter {
  /** An id or a slug. */
  readonly workspace_id?: string | undefined;
  readonly status: PolicyStatus;
  readonly type?: PolicyRow['type'] | undefined;
  readonly unit?: PolicyRow['unit'] | undefined;
}
