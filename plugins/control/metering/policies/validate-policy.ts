import type { DeclaredLabels } from '../../../../schema/config/declared-labels.ts';
import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Principal } from '../../../sdk/exchange/exchange.ts';
import { isUuid } from '../../../sdk/parameters/text-formats.ts';
import { readInPolicies } from '../../access/keys/maker-bounds.ts';
import {
  type ConditionBody,
  conditionErrors,
  type GroupBody,
  groupErrors,
  isOwnCounter,
  mayCover,
} from '../../kernel/limits/conditions.ts';
import { labelErrors } from '../../kernel/limits/label-errors.ts';
import { type LimitPolicy, textPattern } from '../../kernel/limits/limit-policy.ts';
import {
  amountErrors,
  fromWhole,
  shownUsage,
  toStoredUsage,
  toWhole,
  type UsageLimitsBody,
  usageLimitsErrors,
} from '../../kernel/limits/usage-limits.ts';
import { newNameErrors } from '../../kernel/records/name-errors.ts';
import type { Reading } from '../../kernel/records/records.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import { refuse, withNulCharacters } from '../../kernel/requests/refusals.ts';
import type { PolicyRow } from '../../kernel/store/tables.ts';

export type PolicyKind = PolicyRow['kind'];
export type PolicyStatus = PolicyRow['status'];

/** The members of new policies of both kinds. */
interface NewPolicy {
  readonly name?: string | null;
  readonly conditions: readonly ConditionBody[];
  readonly group_by: readonly GroupBody[];
  /** How to treat requests whose counter cannot be queried, or whose usage cannot be measured or priced. */
  readonly if_unknown?: 'allow' | 'refuse';
  /** An id or a slug. */
  readonly workspace_id?: string;
  readonly organisation_id?: string;
}

type NewUsagePolicy = NewPolicy & Omit<UsageLimitsBody, 'next_usage_reset_at'>;

type NewRatePolicy = NewPolicy & {
  readonly type: 'requests' | 'tokens';
  readonly unit: 'rpm' | 'rph' | 'rpd';
  readonly value: number;
};

/**
 * A change of a policy; absent members stay as they are. What it counts and how it groups are fixed, because its counters depend
 * on them.
 */
type PolicyChange<Policy extends NewPolicy> = Partial<
  Omit<Policy, 'type' | 'group_by' | 'workspace_id' | 'organisation_id'>
>;

/** Selects the policies to list. */
export interface PolicyFilter {
  /** An id or a slug. */
  readonly workspace_id?: string | undefined;
  readonly status: PolicyStatus;
  readonly type?: PolicyRow['type'] | undefined;
  readonly unit?: PolicyRow['unit'] | undefined;
}

/** A policy as described by a body, without its owner and time. */
export type PolicyDraft = Pick<
  PolicyRow,
  'name' | 'conditions' | 'group_by' | 'type' | 'unit' | 'amount' | 'if_unknown' | keyof typeof noPeriod
>;

const noPeriod = { alert_at: null, periodic_reset: null, reset_days: null, reset_from: null } as const;

/** Lists errors of the name, unless it is empty, and texts that the store cannot keep. A body is JSON. */
const textErrors = (body: { readonly name?: string | null }, before?: PolicyRow): readonly InputProblem[] =>
  withNulCharacters(body.name === '' ? [] : newNameErrors(body, before), body as JsonObject);

const shared = ({ name, conditions, group_by, if_unknown }: NewUsagePolicy | NewRatePolicy) => ({
  name: name ?? null,
  conditions: JSON.stringify(conditions),
  group_by: JSON.stringify(group_by),
  if_unknown: if_unknown ?? 'allow',
});

/**
 * Creates a usage limit from a body; `labels` are those that the gateway file declares. `now` is in milliseconds since the epoch.
 * Throws the `GatewayError` `invalid-input`.
 */
export const validateUsage = (body: NewUsagePolicy, now: number, labels?: DeclaredLabels): PolicyDraft => {
  refuse([
    ...conditionErrors(body.conditions),
    ...groupErrors(body.group_by),
    ...labelErrors(body, labels),
    ...usageLimitsErrors([], body, 'monday'),
    ...textErrors(body),
  ]);
  return { ...shared(body), unit: null, ...toStoredUsage(body, { now }) };
};

/**
 * Creates a rate limit from a body; `labels` are those that the gateway file declares. Throws the `GatewayError` `invalid-input`.
 */
export const validateRate = (body: NewRatePolicy, labels?: DeclaredLabels): PolicyDraft => {
  const { type, unit, value } = body;
  refuse([
    ...conditionErrors(body.conditions),
    ...groupErrors(body.group_by),
    ...labelErrors(body, labels),
    ...amountErrors(['value'], value, type),
    ...textErrors(body),
  ]);
  return { ...shared(body), ...noPeriod, type, unit, amount: toWhole(value, type) };
};

/** Returns the period after a change. One kind of period replaces the other; null removes it. */
const toPeriod = (
  { periodic_reset, periodic_reset_days }: PolicyChange<NewUsagePolicy>,
  before: UsageLimitsBody,
): Pick<UsageLimitsBody, 'periodic_reset' | 'periodic_reset_days'> => {
  if (periodic_reset != null && periodic_reset_days === undefined) return { periodic_reset };
  if (periodic_reset_days != null && periodic_reset === undefined) return { periodic_reset_days };
  return {
    periodic_reset: periodic_reset === undefined ? (before.periodic_reset ?? null) : periodic_reset,
    periodic_reset_days: periodic_reset_days === undefined ? (before.periodic_reset_days ?? null) : periodic_reset_days,
  };
};

/** Returns a usage limit after a change. Throws the `GatewayError` `invalid-input`. */
export const changedUsage = (
  row: PolicyRow,
  change: PolicyChange<NewUsagePolicy>,
  { now, labels }: { readonly now: number; readonly labels: DeclaredLabels | undefined },
): PolicyRow => {
  if (row.type === 'requests') return row;
  const before = { ...row, type: row.type };
  const shown = shownUsage(before);
  const { name = row.name, if_unknown = row.if_unknown, conditions } = change;
  const { credit_limit = shown.credit_limit, alert_threshold = shown.alert_threshold } = change;
  const after = { type: row.type, credit_limit, alert_threshold, ...toPeriod(change, shown) };
  refuse([
    ...conditionErrors(conditions ?? []),
    ...(conditions === undefined ? [] : labelErrors({ conditions }, labels)),
    ...usageLimitsErrors([], after, 'monday'),
    ...textErrors(change, row),
  ]);
  return {
    ...{ ...row, name, if_unknown, ...toStoredUsage(after, { now, before }) },
    ...(conditions !== undefined && { conditions: JSON.stringify(conditions) }),
  };
};

/** Returns a rate limit after a change. Throws the `GatewayError` `invalid-input`. */
export const changedRate = (row: PolicyRow, change: Omit<PolicyChange<NewRatePolicy>, 'conditions'>): PolicyRow => {
  const { name = row.name, if_unknown = row.if_unknown } = change;
  const { unit = row.unit, value = fromWhole(row.amount, row.type) } = change;
  refuse([...amountErrors(['value'], value, row.type), ...textErrors(change, row)]);
  return { ...row, name, if_unknown, unit, amount: toWhole(value, row.type) };
};

/** The owner of a policy, by the keys of conditions that name it. */
interface PolicyOwner {
  readonly workspace_id: { readonly id: string; readonly slug?: string };
  readonly organisation_id: { readonly id: string; readonly slug?: string };
}

/** Returns the id that requests have for a text of a condition: ids in lower case, and that of the owner for its slug. */
const toRequestId = (text: string, own: { readonly id: string; readonly slug?: string } | undefined): string => {
  if (own?.slug === text.toLowerCase()) return own.id;
  return isUuid(text) ? text.toLowerCase() : text;
};

/**
 * Returns conditions with the ids that requests have, in place of other spellings of them. Throws the `GatewayError`
 * `invalid-input` for a condition that names only other workspaces or organisations than the policy's own: it would never be met.
 */
export const resolveConditions = (
  conditions: readonly ConditionBody[],
  owner: PolicyOwner,
): readonly ConditionBody[] => {
  const problems: Problem[] = [];
  const resolved = conditions.map((condition, at): ConditionBody => {
    const { key, value, excludes } = condition;
    if (!['api_key', 'config', 'workspace_id', 'organisation_id'].includes(key)) return condition;
    const own = key === 'workspace_id' || key === 'organisation_id' ? owner[key] : undefined;
    const resolve = (texts: string | readonly string[]): string | readonly string[] =>
      typeof texts === 'string' ? toRequestId(texts, own) : texts.map((text) => toRequestId(text, own));
    const found = resolve(value);
    if (own !== undefined && ![found].flat().some((text) => textPattern(text)(own.id)))
      problems.push(
        problem(
          ['conditions', at, 'value'],
          `The policy covers only requests whose ${key} is "${own.id}".`,
          key === 'workspace_id'
            ? 'Omit the condition, or create the policy in the other workspace, with the member workspace_id.'
            : 'Omit the condition.',
        ),
      );
    return { ...condition, value: found, ...(excludes !== undefined && { excludes: resolve(excludes) }) };
  });
  refuse(problems);
  return resolved;
};

/** A key of a workspace that changes a policy, and whether any limit covers it. */
export type PolicyChanger = Awaited<ReturnType<typeof readInPolicies>>;

/** Returns the key that changes a policy; undefined for callers that no limit restricts: keys of the organisation, and tokens. */
export const readChanger = async (db: Reading, { keyId, reach }: Principal): Promise<PolicyChanger | undefined> => {
  if (keyId === undefined || reach === 'organisation') return undefined;
  const row = await db.selectFrom('keys').selectAll().where('id', '=', keyId).executeTakeFirst();
  return row && readInPolicies(db, row);
};

const hint = 'Use a key of the organisation.';

/** Lists the reasons why a policy may not be changed: a key that has limits cannot change a policy that covers its requests. */
export const ownPolicyErrors = (policy: LimitPolicy, changer: PolicyChanger | undefined): readonly Problem[] =>
  changer?.isLimited === true && mayCover(policy, changer.facts)
    ? [problem([], 'The key that you use has limits, and cannot change a policy that covers its own requests.', hint)]
    : [];

/** Lists the reasons why a counter may not be set to 0: it is the caller's own. */
export const ownCounterErrors = (
  policy: LimitPolicy,
  values: readonly string[] | undefined,
  changer: PolicyChanger | undefined,
): readonly Problem[] =>
  changer !== undefined && isOwnCounter(policy, values, changer.facts)
    ? [problem([], 'A key of a workspace cannot reset the counter of its own requests.', hint)]
    : [];
