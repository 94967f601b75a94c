import type { JsonObject } from '../../../../schema/json/json.ts';
import { amountFaults, fromWhole, toWhole } from '../../kernel/limits/amounts.ts';
import { conditionFaults, groupFaults } from '../../kernel/limits/conditions.ts';
import {
  shownUsage,
  toStoredUsage,
  type UsageLimitsBody,
  usageLimitsFaults,
} from '../../kernel/limits/usage-limits.ts';
import { findNulCharacters } from '../../kernel/requests/nul-characters.ts';
import type { Problem } from '../../kernel/requests/problem.ts';
import { refuse } from '../../kernel/requests/refusals.ts';
import type { PolicyRow } from '../../kernel/store/tables/tables.ts';
import type { NewRatePolicy, NewUsagePolicy, RatePolicyChange, UsagePolicyChange } from './policy-bodies.ts';

/** What a body says of a policy. */
type Draft = Pick<
  PolicyRow,
  'name' | 'conditions' | 'group_by' | 'type' | 'unit' | 'amount' | 'if_unknown' | keyof typeof noPeriod
>;

const noPeriod = { alert_at: null, periodic_reset: null, reset_days: null, reset_from: null } as const;

/** What the store cannot keep; a body is JSON. */
const textFaults = (body: object): readonly Problem[] => findNulCharacters(body as JsonObject);

const shared = ({ name, conditions, group_by, if_unknown }: NewUsagePolicy | NewRatePolicy) => ({
  name: name ?? null,
  conditions: JSON.stringify(conditions),
  group_by: JSON.stringify(group_by),
  if_unknown: if_unknown ?? 'allow',
});

/** A usage limit as a body has it. Throws the `GatewayError` `invalid-input`. `now` is in milliseconds since the epoch. */
export const validateUsage = (body: NewUsagePolicy, now: number): Draft => {
  refuse([
    ...conditionFaults(body.conditions),
    ...groupFaults(body.group_by),
    ...usageLimitsFaults([], body, 'monday'),
    ...textFaults(body),
  ]);
  return { ...shared(body), unit: null, ...toStoredUsage(body, { now }) };
};

/** A rate limit as a body has it. Throws the `GatewayError` `invalid-input`. */
export const validateRate = (body: NewRatePolicy): Draft => {
  const { type, unit, value } = body;
  refuse([
    ...conditionFaults(body.conditions),
    ...groupFaults(body.group_by),
    ...amountFaults(['value'], value, type),
    ...textFaults(body),
  ]);
  return { ...shared(body), ...noPeriod, type, unit, amount: toWhole(value, type) };
};

type SharedChange = Pick<UsagePolicyChange, 'name' | 'if_unknown'>;

const changedShared = ({ name, if_unknown }: SharedChange): Partial<PolicyRow> => ({
  ...(name !== undefined && { name }),
  ...(if_unknown !== undefined && { if_unknown }),
});

/** One period takes the place of the other; null takes away what is there. */
const toPeriod = (
  { periodic_reset, periodic_reset_days }: UsagePolicyChange,
  before: UsageLimitsBody,
): Pick<UsageLimitsBody, 'periodic_reset' | 'periodic_reset_days'> => {
  if (periodic_reset != null && periodic_reset_days === undefined) return { periodic_reset };
  if (periodic_reset_days != null && periodic_reset === undefined) return { periodic_reset_days };
  return {
    periodic_reset: periodic_reset === undefined ? (before.periodic_reset ?? null) : periodic_reset,
    periodic_reset_days: periodic_reset_days === undefined ? (before.periodic_reset_days ?? null) : periodic_reset_days,
  };
};

/** A usage limit after a change. Throws the `GatewayError` `invalid-input`. */
export const changedUsage = (row: PolicyRow, change: UsagePolicyChange, now: number): PolicyRow => {
  if (row.type === 'requests') return row;
  const before = { ...row, type: row.type };
  const shown = shownUsage(before);
  const { credit_limit, alert_threshold, conditions } = change;
  const after: UsageLimitsBody = {
    type: row.type,
    credit_limit: credit_limit ?? shown.credit_limit,
    alert_threshold: alert_threshold === undefined ? shown.alert_threshold : alert_threshold,
    ...toPeriod(change, shown),
  };
  refuse([...conditionFaults(conditions ?? []), ...usageLimitsFaults([], after, 'monday'), ...textFaults(change)]);
  return {
    ...row,
    ...changedShared(change),
    ...(conditions !== undefined && { conditions: JSON.stringify(conditions) }),
    ...toStoredUsage(after, { now, before }),
  };
};

/** A rate limit after a change. Throws the `GatewayError` `invalid-input`. */
export const changedRate = (row: PolicyRow, change: RatePolicyChange): PolicyRow => {
  const { unit = row.unit, value = fromWhole(row.amount, row.type) } = change;
  refuse([...amountFaults(['value'], value, row.type), ...textFaults(change)]);
  return { ...row, ...changedShared(change), unit, amount: toWhole(value, row.type) };
};
