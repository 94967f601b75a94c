import { isTexts } from '../../../../schema/json/json.ts';
import { policyKeyNames, readLabelName } from './conditions.ts';
import type { LimitPolicy, PolicyCondition, Reset } from './limit-policy.ts';

type Loose<Known> = { readonly [Name in keyof Known]?: unknown };

const units: readonly unknown[] = ['requests', 'tokens', 'nanoUsd'];
const kinds: readonly unknown[] = ['usage', 'rate'];
const answers: readonly unknown[] = ['allow', 'refuse'];
const periods: readonly unknown[] = ['second', 'minute', 'hour', 'day', 'monday', 'sunday', 'month', 'never'];
const keys: readonly unknown[] = policyKeyNames;

const isWhole = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0;

const isKey = (value: unknown): boolean =>
  keys.includes(value) || (typeof value === 'string' && readLabelName(value) !== undefined);

const isReset = ({ every, ...more }: Loose<Reset>): boolean => {
  if (every !== 'days') return periods.includes(every);
  const { days, from }: { readonly days?: unknown; readonly from?: unknown } = more;
  return isWhole(days) && days > 0 && typeof from === 'number' && Number.isFinite(from);
};

const isCondition = ({ key, values, excludes }: Loose<PolicyCondition>): boolean =>
  isKey(key) && isTexts(values) && isTexts(excludes);

/** Whether a policy has only what requests can be held against. */
const isReadable = (policy: LimitPolicy): boolean => {
  const { kind, unit, limit, alertAt, ifUnknown }: Loose<LimitPolicy> = policy;
  return (
    kinds.includes(kind) &&
    units.includes(unit) &&
    isWhole(limit) &&
    (alertAt === undefined || isWhole(alertAt)) &&
    answers.includes(ifUnknown) &&
    isReset(policy.reset) &&
    policy.conditions.every(isCondition) &&
    policy.groupBy.every(isKey)
  );
};

/**
 * Reads limits from a row. Where this version cannot read them, because they were changed by hand, damaged, or written by a later version,
 * there is one instead that admits none of the requests with the conditions given: no other row is affected by it.
 */
export const readable = <Policies extends readonly LimitPolicy[]>(
  { id, name, conditions }: Pick<LimitPolicy, 'id' | 'name' | 'conditions'>,
  read: () => Policies,
): Policies | readonly [LimitPolicy] => {
  try {
    const policies = read();
    if (policies.every(isReadable)) return policies;
  } catch {
    // As where a value is none that can be read.
  }
  return [
    {
      ...{ id, name, conditions, kind: 'usage', groupBy: [], unit: 'requests', limit: 0 },
      ...{ reset: { every: 'never' }, ifUnknown: 'refuse', isUnreadable: true },
    },
  ];
};
