import { type KeyNames, nameKeys } from '../../api/name-keys.ts';
import { toInteger, toMoney } from '../../components/formats.ts';
import { texts } from '../../texts/policies.ts';
import type { Policy } from './policy.ts';

const toKeyName = (key: string): string =>
  key.startsWith('metadata.') ? key.slice('metadata.'.length) : (texts.keys[key] ?? key);

const toValues = (values: string | readonly string[], names: KeyNames): string =>
  (typeof values === 'string' ? [values] : values).map((value) => names.get(value) ?? value).join(', ');

/** Returns the values in the conditions of a policy, which may be ids of keys. */
export const conditionValues = ({ conditions }: Policy): readonly string[] =>
  conditions.flatMap(({ value, excludes = [] }) => [value, excludes].flat());

/** Describes which requests a policy applies to. `names` maps the ids of keys to their names. */
export const describeConditions = ({ conditions }: Policy, names: KeyNames): string => {
  const parts = conditions.map(({ key, value, excludes }) => {
    const isAny = value === '*';
    const covered = isAny
      ? key === 'workspace_id'
        ? texts.every
        : texts.is(toKeyName(key), '*')
      : texts.is(toKeyName(key), toValues(value, names));
    return excludes === undefined ? covered : `${covered} ${texts.except(toValues(excludes, names))}`;
  });
  return parts.join(', ');
};

/** Describes what a policy counts separately; undefined if it counts all requests together. */
export const describeGroups = ({ group_by }: Policy): string | undefined => {
  const keys = group_by.map(({ key }) => key).filter((key) => key !== 'workspace_id' && key !== 'organisation_id');
  return keys.length === 0 ? undefined : texts.perGroup(keys.map(toKeyName).join(' × '));
};

/** Formats an amount in the unit of a policy: `$3.20`, `1,200 tokens`. */
export const describeAmount = ({ type }: Pick<Policy, 'type'>, amount: number): string => {
  if (type === 'cost') return toMoney(amount);
  return `${toInteger(amount)} ${texts.counted[type][amount === 1 ? 0 : 1]}`;
};

/** Formats how much of a limit is used: `$3.20 of $50.00`, `1 of 2 requests`. */
export const describeUsed = (policy: Pick<Policy, 'type'>, used: number, limit: number): string =>
  texts.used(policy.type === 'cost' ? toMoney(used) : toInteger(used), describeAmount(policy, limit));

/** Formats the values of a counter, with names of keys instead of ids. Omits the name of the group if there is only one. */
export const describeCounter = (valueKey: string, { group_by: groupBy }: Policy, names: KeyNames): string => {
  if (valueKey === '*') return texts.shared;
  const text = nameKeys(valueKey, names);
  const [only, ...others] = groupBy;
  return only !== undefined && others.length === 0 && text.startsWith(`${only.key}:`)
    ? text.slice(only.key.length + 1)
    : text;
};
