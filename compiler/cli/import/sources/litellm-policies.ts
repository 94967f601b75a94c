import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { savedSlug } from '../../../../schema/text/slug-model.ts';
import type { SourceObject } from '../draft/read-source.ts';

/** Why something is left out, and what to do. */
export type Why = readonly [why: string, instead: string];

/** The requests to which a limit of the source applies. */
export interface Limited {
  /** A provider, or `@slug` for a saved one, which no other deployment of the same model has. */
  readonly provider: string;
  /** Absent for all models of the provider. */
  readonly model?: string | undefined;
}

/** The deployments of the source that are one target here, and therefore share one limit. */
export type SameTarget = readonly [SourceObject, ...SourceObject[]];

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

const secondsOfDay = 86_400;

/** Returns the members of a policy for a duration such as `30d` or `1mo`; undefined if it is not a duration, or too long. */
const toPeriod = (duration: string): JsonObject | undefined => {
  if (/^1mo$/.test(duration)) return { periodic_reset: 'monthly' };
  const [, count = '', unit = ''] = /^(\d+)(s|m|h|d|mo)$/.exec(duration) ?? [];
  if (unit === '' || Number(count) === 0) return undefined;
  const days = unit === 'mo' ? 30 * Number(count) : Math.ceil((Number(count) * (secondsOf[unit] ?? 1)) / secondsOfDay);
  return days > 365 ? undefined : { periodic_reset_days: days };
};

/**
 * Returns the conditions of a limit. For one deployment, it applies to the model that the provider gets, or to all of its saved
 * provider; a limit of the whole gateway applies to each workspace.
 */
const toConditions = (limited: Limited | undefined): readonly Json[] => {
  if (limited === undefined) return [{ key: 'workspace_id', value: '*' }];
  const { provider, model } = limited;
  const isAll = model === undefined || savedSlug(provider) !== undefined;
  return [{ key: 'provider', value: provider }, ...(isAll ? [] : [{ key: 'model', value: model }])];
};

const groups: Json = [{ key: 'workspace_id' }];

/** Returns the command that creates a policy. Quotes are escaped, because a quote would end the shell argument. */
const toCommand = (kind: 'usage' | 'rate', body: JsonObject): string =>
  `echo '${JSON.stringify(body).replaceAll("'", '\\u0027')}' | gw policies ${kind} create -`;

const nameOf = (what: string, limited: Limited | undefined): string => {
  if (limited === undefined) return what;
  const { provider, model } = limited;
  const slug = provider.replace(/^@/, '');
  if (model === undefined) return `${what} of ${slug}`;
  return slug === provider ? `${what} of ${model}` : `${what} of ${model}, ${slug}`;
};

/** States that a policy counts only one deployment, if others have the same provider and model. */
const ofSaved = (limited: Limited | undefined): string => {
  const slug = savedSlug(limited?.provider);
  return limited?.model !== undefined && slug !== undefined
    ? ` It counts only this deployment, which is the saved provider "${slug}".`
    : '';
};

/** Returns the limit of deployments that are one target, which is the sum of theirs; undefined if one of them has none. */
const sumOf = (same: SameTarget, member: string): number | undefined => {
  const values = same.map((source) => source.number(member));
  return values.every((value) => value !== undefined && value >= 0)
    ? values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
    : undefined;
};

const together = ({ length }: SameTarget): string =>
  length === 1 ? '' : `; that of ${length} deployments, which are one target here, is their sum`;

/** Returns why a limit of some deployments has no effect: others at the same target have none. */
const withoutSum = (same: SameTarget, member: string): Why | undefined =>
  same.length > 1 && same.some((source) => typeof source.peek(member) === 'number')
    ? [
        `"${member}" limits nothing: another deployment of this model, which is the same target here, has no limit`,
        'Create a policy if all of them should have one: docs/reference/policies.md.',
      ]
    : undefined;

const asked =
  '"Virtual keys and budgets" of docs/recipes/move-clients-and-keys-from-litellm.md sets GW_URL and GW_API_KEY for both.';

const keys = `and keys of the store for clients (gw keys create): requests with a key of the gateway file are not counted. ${asked}`;

export const budgets: Why = ['Budgets are policies of a store', `Create one (gw policies usage create), ${keys}`];

export const limits: Why = [
  'Requests and tokens a minute are limited by policies of a store, not by a target',
  `Create a policy in a store (gw policies rate create), and keys of the store for clients (gw keys create). ${asked}`,
];

/**
 * Returns how to create a budget of the source here; undefined if it is not a number. The budget of a provider uses other names
 * for the same members.
 */
export const budgetPolicy = (same: SameTarget, limited: Limited | undefined): Why | undefined => {
  const none = withoutSum(same, 'max_budget');
  const credit = sumOf(same, 'max_budget') ?? sumOf(same, 'budget_limit');
  if (credit === undefined) return none;
  const durations = same.map((source) => source.text('budget_duration') ?? source.text('time_period'));
  const [duration] = durations;
  const period = duration === undefined ? {} : toPeriod(duration);
  const body = {
    name: nameOf('Budget', limited),
    conditions: toConditions(limited),
    group_by: groups,
    type: 'cost',
    credit_limit: credit,
    ...period,
  };
  const ofPeriod =
    period === undefined
      ? ` A period is 1 to 365 days here, but "${duration}" is not: add "periodic_reset_days".`
      : new Set(durations).size > 1
        ? ' The deployments have several periods: the first one is used.'
        : '';
  return [
    `${budgets[0]}${together(same)}`,
    `Create it: ${toCommand('usage', body)} ; ${keys}${ofSaved(limited)}${ofPeriod}`,
  ];
};

const rates = { rpm: 'requests', tpm: 'tokens' } as const;

/** Returns how to create a limit of requests or tokens a minute here; undefined if it is not a number. */
export const ratePolicy = (
  same: SameTarget,
  member: keyof typeof rates,
  limited: Limited | undefined,
): Why | undefined => {
  const none = withoutSum(same, member);
  const value = sumOf(same, member);
  if (value === undefined) return none;
  const body = {
    name: nameOf(member === 'rpm' ? 'Requests a minute' : 'Tokens a minute', limited),
    conditions: toConditions(limited),
    group_by: groups,
    type: rates[member],
    unit: 'rpm',
    value: Math.floor(value),
  };
  return [`${limits[0]}${together(same)}`, `Create it: ${toCommand('rate', body)} ; ${keys}${ofSaved(limited)}`];
};
