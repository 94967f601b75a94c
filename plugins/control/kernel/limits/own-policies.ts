import { toUnit } from './amounts.ts';
import type { LimitPolicy, PolicyCondition } from './limit-policy.ts';
import { ownWeek, type RateLimit, storedLimits } from './own-limits.ts';
import { toReset } from './usage-limits.ts';

/** What has limits of its own. */
export interface Limited {
  /** Its id, with which those of its limits begin. */
  readonly id: string;
  /** What people call it. */
  readonly name: string;
  /** As they are stored. */
  readonly limits: string | null;
  /** Which requests are its own. */
  readonly conditions: readonly PolicyCondition[];
}

const windows = { rps: 'second', rpm: 'minute', rph: 'hour', rpd: 'day', rpw: ownWeek } as const;

const toRatePolicy = ({ type, unit, value }: RateLimit, { id }: Limited) => ({
  id: `${id}/${type}/${unit}`,
  kind: 'rate' as const,
  unit: toUnit(type),
  limit: value,
  reset: { every: windows[unit] },
});

const equal = (key: string, values: readonly string[]): PolicyCondition => ({ key, values, excludes: [] });

/** Whether a limit is one that a key, a workspace or a provider has of its own: nobody can reset those. */
export const isOwnPolicy = ({ id }: Pick<LimitPolicy, 'id'>): boolean => id.includes('/');

/** The requests of a service key. */
export const byKey = (id: string): readonly PolicyCondition[] => [equal('api_key', [id])];

/** The requests to saved providers or virtual keys with these slugs. */
export const bySlugs = (slugs: readonly string[]): readonly PolicyCondition[] => [equal('virtual_key', slugs)];

/** The usage limit that something has of its own, as requests need it. */
export const ownUsagePolicy = ({ id, name, limits, conditions }: Limited): LimitPolicy | undefined => {
  const { usage_limits: usage } = storedLimits(limits);
  if (usage === null) return undefined;
  return {
    ...{ id: `${id}/usage/${usage.type}`, name, kind: 'usage', conditions, groupBy: [] },
    ...{ unit: toUnit(usage.type), limit: usage.amount, reset: toReset(usage, ownWeek) },
    ...(usage.alert_at !== null && { alertAt: usage.alert_at }),
    ifUnknown: 'allow',
  };
};

/** All limits that something has of its own, as requests need them. */
export const ownPolicies = (limited: Limited): readonly LimitPolicy[] => {
  const { name, conditions } = limited;
  const usage = ownUsagePolicy(limited);
  const rates = storedLimits(limited.limits).rate_limits.map(
    (limit): LimitPolicy => ({
      ...{ ...toRatePolicy(limit, limited), name, conditions, groupBy: [], ifUnknown: 'allow' },
    }),
  );
  return usage === undefined ? rates : [usage, ...rates];
};
