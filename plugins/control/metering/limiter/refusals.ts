import { withoutCredentials } from '../../../../schema/credentials/credential-form.ts';
import { type GatewayError, gatewayError } from '../../../../schema/errors/errors.ts';
import { amountText } from '../../../../schema/text/amount-text.ts';
import { shownModel } from '../../../sdk/models/named-models.ts';
import { isOwnPolicy } from '../../kernel/limits/active-policies.ts';
import { readLabelName } from '../../kernel/limits/conditions.ts';
import type { LimitPolicy, Reset, Unit } from '../../kernel/limits/limit-policy.ts';
import type { CounterState } from '../counters/limits.ts';
import { bucketValues } from './limit-facts.ts';
import type { MatchedPolicy } from './matched-policies.ts';

/** The number of seconds above which a client should give up rather than retry on its own. */
const longestWaitS = 60;

const periods: Readonly<Record<Reset['every'], string>> = {
  second: ' a second',
  minute: ' a minute',
  hour: ' an hour',
  day: ' a day',
  monday: ' a week',
  sunday: ' a week',
  month: ' a month',
  days: '',
  never: '',
};

const toPeriod = (reset: Reset): string => (reset.every === 'days' ? ` in ${reset.days} days` : periods[reset.every]);

/** Describes how much a policy allows, such as `100 requests a minute`. */
const limitText = ({ unit, limit, reset }: Pick<LimitPolicy, 'unit' | 'limit' | 'reset'>): string =>
  `${amountText(unit, limit)}${toPeriod(reset)}`;

const quoted = ({ name }: LimitPolicy): string => JSON.stringify(name.toWellFormed());

/** Whether another branch can avoid the error is set only if it differs from the table of errors. */
const cure = (isOfTarget: boolean): { readonly curable?: false } => (isOfTarget ? {} : { curable: false });

const countHeaders = (
  unit: Unit,
  { used, reserved, limit }: CounterState,
  waitS: number | undefined,
): readonly string[] =>
  unit === 'nanoUsd'
    ? []
    : [
        ...[`x-ratelimit-limit-${unit}`, String(limit)],
        ...[`x-ratelimit-remaining-${unit}`, String(Math.max(0, limit - used - reserved))],
        ...(waitS === undefined ? [] : [`x-ratelimit-reset-${unit}`, String(waitS)]),
      ];

/**
 * A budget has no `retry-after`: Codex would wait for that long without showing the error, although a 412 says that a retry is in
 * vain. The message says when the budget resets.
 */
const toHeaders = (
  { kind, unit }: LimitPolicy,
  counter: CounterState,
  waitS: number | undefined,
): readonly string[] => [
  ...(waitS === undefined || kind === 'usage' ? [] : ['retry-after', String(waitS)]),
  ...countHeaders(unit, counter, waitS),
  ...(waitS === undefined || waitS > longestWaitS ? ['x-should-retry', 'false'] : []),
];

/**
 * Whether attempts in flight alone fill the counter. They usually reserve more than they use. A counted request stays counted,
 * except for the rare one that is answered without an attempt.
 */
const isReserved = ({ unit, limit }: LimitPolicy, { used }: CounterState): boolean =>
  unit !== 'requests' && used < limit;

const toTime = (at: number): string => new Date(at).toISOString().replace('.000Z', 'Z');

const toSuggestion = (policy: LimitPolicy, resetsAt: number | undefined): string => {
  if (policy.limit === 0) return 'It admits nothing until whoever manages the limit raises it.';
  if (resetsAt === undefined)
    return `It does not reset by itself: ask whoever manages the limit to raise ${isOwnPolicy(policy) ? 'it' : 'or reset it'}.`;
  return `It resets at ${toTime(resetsAt)}.`;
};

/**
 * Describes where an operator sees a limit that was reached, and how to raise or reset it. This is for readers of the log, not
 * for the caller.
 */
const toRemedy = (policy: LimitPolicy, resetsAt: number | undefined): string => {
  const { id, kind, name } = policy;
  const wait = resetsAt === undefined ? '' : ` It resets at ${toTime(resetsAt)} by itself.`;
  if (isOwnPolicy(policy))
    return `Raise "${kind}_limits" of the ${name} itself: gw keys, workspaces, providers, virtual-keys or integrations update, or the console. gw usage shows what was used.${wait}`;
  const raise = `Raise it: gw policies ${kind} update ${id} --limit N`;
  const page = 'The page Policies of the console does the same.';
  return kind === 'rate'
    ? `${raise}, or have clients send less at once. ${page}${wait}`
    : `See what is used of it: gw policies usage entities ${id}. ${raise}, or set one counter to 0: gw policies usage reset ${id} ENTITY. ${page}${wait}`;
};

/**
 * Names a policy and, if it has several counters, which counter: `"Budget" for _user "ada"`. Callers choose what labels contain.
 */
const named = (policy: LimitPolicy, groups: readonly (readonly [key: string, value: string])[]): string => {
  const whose = groups
    .map(([key, value]) => `${readLabelName(key) ?? key} ${JSON.stringify(withoutCredentials(value))}`)
    .join(' and ');
  return whose === '' ? quoted(policy) : `${quoted(policy)} for ${whose}`;
};

interface FullCounter {
  readonly counter: CounterState;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether the caller sent this label, and so may read it in the response. */
  readonly sends: (label: string) => boolean;
}

/** Keys whose values are no information to readers of their own workspace's log. */
const ofPlace: ReadonlySet<string> = new Set(['workspace_id', 'organisation_id']);

/**
 * Names a full counter for its caller, by the labels that the caller sent, and for logs, by everything that its policy groups by.
 */
const namesOf = (
  { policy, bucket }: MatchedPolicy,
  { counter, sends }: FullCounter,
): Readonly<Record<'shown' | 'logged', string>> => {
  // Requests without a counter of their own share one, which belongs to nobody.
  const values = counter.bucket === bucket ? (bucketValues(bucket, policy.groupBy) ?? []) : [];
  const groups = values.map((value, at) => [policy.groupBy[at] ?? '', value] as const);
  const isSent = (label: string | undefined): boolean => label !== undefined && sends(label);
  return {
    shown: named(
      policy,
      groups.filter(([key]) => isSent(readLabelName(key))),
    ),
    logged: named(
      policy,
      groups.filter(([key]) => !ofPlace.has(key)),
    ),
  };
};

/** Returns the refusal of a policy that stands for limits that cannot be read. */
const unreadable = (policy: LimitPolicy, isOfTarget: boolean): GatewayError =>
  gatewayError('unreadable-limit', { policy: quoted(policy) }, cure(isOfTarget));

/** Returns the refusal of a policy whose counter is full. */
export const toRefusal = (match: MatchedPolicy, full: FullCounter): GatewayError => {
  const { policy, isOfTarget } = match;
  const { counter, now } = full;
  if (policy.isUnreadable) return unreadable(policy, isOfTarget);
  const { shown, logged } = namesOf(match, full);
  const about = `the limit ${logged}`;
  // Waiting does not help if the limit is 0.
  const resetsAt = policy.limit === 0 ? undefined : counter.resetsAt;
  const waitS = resetsAt === undefined ? undefined : Math.max(1, Math.ceil((resetsAt - now) / 1000));
  if (isReserved(policy, counter))
    return gatewayError(
      'limit-reserved',
      { policy: shown, limit: limitText(policy), used: amountText(policy.unit, counter.used) },
      { headers: ['retry-after', '1', ...countHeaders(policy.unit, counter, waitS)], about, ...cure(isOfTarget) },
    );
  return gatewayError(
    policy.kind === 'rate' ? 'rate-limited' : 'usage-exhausted',
    { policy: shown, limit: limitText(policy), suggestion: toSuggestion(policy, resetsAt) },
    {
      headers: toHeaders(policy, counter, waitS),
      about,
      loggedHint: toRemedy(policy, resetsAt),
      ...cure(isOfTarget),
    },
  );
};

/** Returns the refusal of a policy whose counter could not be queried. */
export const uncountedRefusal = (policy: LimitPolicy, isOfTarget: boolean): GatewayError =>
  gatewayError(
    'limits-unavailable',
    { policy: quoted(policy) },
    { headers: ['retry-after', '1'], ...cure(isOfTarget) },
  );

/** Returns the refusal of a cost limit for a model without a price. Another target may have a model with a price. */
export const unpricedRefusal = (
  policy: LimitPolicy,
  { model, provider }: { readonly model: string; readonly provider: string },
): GatewayError =>
  gatewayError('unpriced-model', { model: JSON.stringify(shownModel(model)), provider, policy: quoted(policy) });

/** Returns the refusal of a token or cost limit for a request whose usage cannot be known. */
export const unmeasuredRefusal = (policy: LimitPolicy, isOfTarget: boolean): GatewayError =>
  gatewayError('unmeasured-request', { policy: quoted(policy) }, cure(isOfTarget));
