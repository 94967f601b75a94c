import { isTexts } from '../../../../schema/json/json.ts';
import { policyKeyNames, readLabelName } from './conditions.ts';
import type { LimitPolicy, PolicyCondition, Reset, Unit } from './limit-policy.ts';

type Loose<Known> = { readonly [Name in keyof Known]?: unknown };

/** Every text of a type. The compiler requires an entry for each text that is added to the type. */
type All<Text extends string> = Readonly<Record<Text, true>>;

const units: All<Unit> = { requests: true, tokens: true, nanoUsd: true };
const kinds: All<LimitPolicy['kind']> = { usage: true, rate: true };
const answers: All<LimitPolicy['ifUnknown']> = { allow: true, refuse: true };
const periods: All<Exclude<Reset['every'], 'days'>> = {
  ...{ second: true, minute: true, hour: true, day: true, monday: true, sunday: true, month: true, never: true },
};
const keys: readonly unknown[] = policyKeyNames;

const isAmong = (value: unknown, all: All<string>): boolean => typeof value === 'string' && Object.hasOwn(all, value);

const isWhole = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0;

const isKey = (value: unknown): boolean =>
  keys.includes(value) || (typeof value === 'string' && readLabelName(value) !== undefined);

const isReset = ({ every, ...more }: Loose<Reset>): boolean => {
  if (every !== 'days') return isAmong(every, periods);
  const { days, from }: { readonly days?: unknown; readonly from?: unknown } = more;
  return isWhole(days) && days > 0 && typeof from === 'number' && Number.isFinite(from);
};

const isCondition = ({ key, values, excludes }: Loose<PolicyCondition>): boolean =>
  isKey(key) && isTexts(values) && isTexts(excludes);

/** Whether requests can be checked against everything in a policy. */
const isReadable = (policy: LimitPolicy): boolean => {
  const { kind, unit, limit, alertAt, ifUnknown }: Loose<LimitPolicy> = policy;
  return (
    isAmong(kind, kinds) &&
    isAmong(unit, units) &&
    isWhole(limit) &&
    (alertAt === undefined || isWhole(alertAt)) &&
    isAmong(ifUnknown, answers) &&
    isReset(policy.reset) &&
    policy.conditions.every(isCondition) &&
    policy.groupBy.every(isKey)
  );
};

/**
 * Reads limits from a row. If this version cannot read them, because they were changed by hand, damaged, or written by a later
 * version, returns one limit that refuses all requests with the given conditions. Other rows are not affected.
 */
export const readLimitsOrRefuseAll = <Policies extends readonly LimitPolicy[]>(
  { id, name, conditions }: Pick<LimitPolicy, 'id' | 'name' | 'conditions'>,
  read: () => Policies,
): Policies | readonly [LimitPolicy] => {
  try {
    const policies = read();
    if (policies.every(isReadable)) return policies;
  } catch {
    // Treated like a value that cannot be read.
  }
  return [
    {
      ...{ id, name, conditions, kind: 'usage', groupBy: [], unit: 'requests', limit: 0 },
      ...{ reset: { every: 'never' }, ifUnknown: 'refuse', isUnreadable: true },
    },
  ];
};
