import type { PointerToken } from '../../../../schema/json/pointer.ts';
import { type Problem, problem } from '../requests/problem.ts';
import { amountErrors, fromWhole, toWhole } from './amounts.ts';
import type { Reset } from './limit-policy.ts';
import { toWindow } from './windows.ts';

/** A usage limit as it is on the wire. */
export interface UsageLimitsBody {
  /** US dollars, or tokens. */
  readonly credit_limit: number;
  readonly type: 'cost' | 'tokens';
  readonly alert_threshold?: number | null;
  readonly periodic_reset?: 'monthly' | 'weekly' | null;
  readonly periodic_reset_days?: number | null;
  /** Seconds since the epoch. */
  readonly next_usage_reset_at?: number | null;
}

/** A usage limit in whole units. */
export interface StoredUsageLimits {
  readonly type: 'cost' | 'tokens';
  readonly amount: number;
  readonly alert_at: number | null;
  readonly periodic_reset: 'monthly' | 'weekly' | null;
  readonly reset_days: number | null;
  /** From when these days are counted, in milliseconds since the epoch. */
  readonly reset_from: number | null;
}

/** The first day of weeks. */
export type WeekStart = 'monday' | 'sunday';

export const toReset = (
  { periodic_reset, reset_days, reset_from }: Pick<StoredUsageLimits, 'periodic_reset' | 'reset_days' | 'reset_from'>,
  week: WeekStart,
): Reset => {
  if (reset_days !== null) return { every: 'days', days: reset_days, from: reset_from ?? 0 };
  if (periodic_reset === null) return { every: 'never' };
  return { every: periodic_reset === 'monthly' ? 'month' : week };
};

const nextResetErrors = (
  place: readonly PointerToken[],
  { periodic_reset = null, periodic_reset_days = null, next_usage_reset_at = null }: UsageLimitsBody,
  week: WeekStart,
): readonly Problem[] => {
  if (next_usage_reset_at === null || periodic_reset_days !== null) return [];
  const at = [...place, 'next_usage_reset_at'];
  if (periodic_reset === null)
    return [
      problem(at, 'A limit without a period is never reset.', 'Leave this out, or write periodic_reset_days as well.'),
    ];
  const time = next_usage_reset_at * 1000;
  const reset = toReset({ periodic_reset, reset_days: null, reset_from: null }, week);
  // What is read back may be sent again.
  if (toWindow(reset, time).start === time) return [];
  const when = periodic_reset === 'monthly' ? 'on the first day of each month' : `each ${weekday[week]}`;
  return [
    problem(
      at,
      `A ${periodic_reset} limit is reset ${when} at midnight (UTC), and not at this time.`,
      'Leave this out, or write periodic_reset_days in place of periodic_reset.',
    ),
  ];
};

const weekday = { monday: 'Monday', sunday: 'Sunday' } as const;

/** Lists what is wrong with a usage limit that its schema does not say. */
export const usageLimitsErrors = (
  place: readonly PointerToken[],
  body: UsageLimitsBody,
  week: WeekStart,
): readonly Problem[] => {
  const { credit_limit, type, alert_threshold = null, periodic_reset = null, periodic_reset_days = null } = body;
  return [
    ...amountErrors([...place, 'credit_limit'], credit_limit, type),
    ...(alert_threshold === null ? [] : amountErrors([...place, 'alert_threshold'], alert_threshold, type)),
    ...(alert_threshold !== null && alert_threshold >= credit_limit
      ? [
          problem(
            [...place, 'alert_threshold'],
            `The threshold ${alert_threshold} is not below the limit ${credit_limit}.`,
            'Write a threshold below credit_limit, or leave it out.',
          ),
        ]
      : []),
    ...(periodic_reset !== null && periodic_reset_days !== null
      ? [
          problem(
            [...place, 'periodic_reset_days'],
            'A limit has one period, and periodic_reset is there as well.',
            'Leave one of the two out.',
          ),
        ]
      : []),
    ...nextResetErrors(place, body, week),
  ];
};

/** A time at which a period begins that is not to come yet. */
const notAfter = (from: number, days: number, now: number): number =>
  toWindow({ every: 'days', days, from }, now).start;

/** A usage limit without errors as it is kept; days are counted as before where nothing says otherwise. */
export const toStoredUsage = (
  { credit_limit, type, alert_threshold, periodic_reset, periodic_reset_days, next_usage_reset_at }: UsageLimitsBody,
  { now, before }: { readonly now: number; readonly before?: StoredUsageLimits | undefined },
): StoredUsageLimits => {
  const days = periodic_reset_days ?? null;
  const asBefore = before?.reset_days === days ? before?.reset_from : undefined;
  const from = next_usage_reset_at == null ? (asBefore ?? now) : next_usage_reset_at * 1000;
  return {
    type,
    amount: toWhole(credit_limit, type),
    alert_at: alert_threshold == null ? null : toWhole(alert_threshold, type),
    periodic_reset: periodic_reset ?? null,
    reset_days: days,
    reset_from: days === null ? null : notAfter(from, days, now),
  };
};

/** A usage limit as it is shown, but for when it is reset next. */
export const shownUsage = (stored: StoredUsageLimits): Required<Omit<UsageLimitsBody, 'next_usage_reset_at'>> => ({
  credit_limit: fromWhole(stored.amount, stored.type),
  type: stored.type,
  alert_threshold: stored.alert_at === null ? null : fromWhole(stored.alert_at, stored.type),
  periodic_reset: stored.periodic_reset,
  periodic_reset_days: stored.reset_days,
});
