import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import type { SourceObject } from '../draft/read-source.ts';

/** Why something is left out, and what to do. */
export type Why = readonly [why: string, instead: string];

/** The requests that a limit of the source is for. */
export interface Limited {
  readonly provider: string;
  /** Absent for all models of the provider. */
  readonly model?: string | undefined;
}

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

const secondsOfDay = 86_400;

/** The members of a policy for a duration such as `30d` or `1mo`; undefined where it is none, or too long. */
const toPeriod = (duration: string): JsonObject | undefined => {
  if (/^1mo$/.test(duration)) return { periodic_reset: 'monthly' };
  const [, count = '', unit = ''] = /^(\d+)(s|m|h|d|mo)$/.exec(duration) ?? [];
  if (unit === '' || Number(count) === 0) return undefined;
  const days = unit === 'mo' ? 30 * Number(count) : Math.ceil((Number(count) * (secondsOf[unit] ?? 1)) / secondsOfDay);
  return days > 365 ? undefined : { periodic_reset_days: days };
};

/** A limit of one deployment is for the model that it sends to its provider; one of the whole, for each workspace. */
const toConditions = (limited: Limited | undefined): readonly Json[] => {
  if (limited === undefined) return [{ key: 'workspace_id', value: '*' }];
  const { provider, model } = limited;
  return [{ key: 'provider', value: provider }, ...(model === undefined ? [] : [{ key: 'model', value: model }])];
};

const groups: Json = [{ key: 'workspace_id' }];

/** The command that makes a policy; a quote would end the argument that the shell reads. */
const toCommand = (kind: 'usage' | 'rate', body: JsonObject): string =>
  `echo '${JSON.stringify(body).replaceAll("'", '\\u0027')}' | gw policies ${kind} create -`;

const nameOf = (what: string, limited: Limited | undefined): string =>
  limited === undefined ? what : `${what} of ${limited.model ?? limited.provider}`;

const keys =
  'and keys of the store for clients (gw keys create): requests with a key of the gateway file are counted by none.';

export const budgets: Why = ['Budgets are policies of a store', `Make one (gw policies usage create), ${keys}`];

export const limits: Why = [
  'Requests and tokens a minute are limited by policies of a store, and not by a target',
  'Make a policy in a store (gw policies rate create), and keys of the store for clients (gw keys create).',
];

/** How a budget of the source is made here; undefined where it is no number. That of a provider has other names for the same. */
export const budgetPolicy = (source: SourceObject, limited: Limited | undefined): Why | undefined => {
  const credit = source.number('max_budget') ?? source.number('budget_limit');
  if (credit === undefined || credit < 0) return undefined;
  const duration = source.text('budget_duration') ?? source.text('time_period');
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
      ? ` A period is 1 to 365 days here, and "${duration}" is none: add "periodic_reset_days".`
      : '';
  return [budgets[0], `Make it: ${toCommand('usage', body)} ; ${keys}${ofPeriod}`];
};

const rates = { rpm: 'requests', tpm: 'tokens' } as const;

/** How a limit of requests or tokens a minute is made here; undefined where it is no number. */
export const ratePolicy = (
  source: SourceObject,
  member: keyof typeof rates,
  limited: Limited | undefined,
): Why | undefined => {
  const value = source.number(member);
  if (value === undefined || value < 0) return undefined;
  const body = {
    name: nameOf(member === 'rpm' ? 'Requests a minute' : 'Tokens a minute', limited),
    conditions: toConditions(limited),
    group_by: groups,
    type: rates[member],
    unit: 'rpm',
    value: Math.floor(value),
  };
  return [limits[0], `Make it: ${toCommand('rate', body)} ; ${keys}`];
};
