import type { PointerToken } from '../../../../schema/json/pointer.ts';
import { type Problem, problem } from '../requests/problem.ts';
import { type Reset, toWindow, type Unit } from './limit-policy.ts';

/** The measure of a limit, as written in request bodies and responses. */
export type LimitType = 'cost' | 'tokens' | 'requests';

const decimals: Readonly<Record<LimitType, number>> = { cost: 9, tokens: 0, requests: 0 };

const words: Readonly<Record<LimitType, string>> = { cost: 'US dollars', tokens: 'tokens', requests: 'requests' };

export const toUnit = (type: LimitType): Unit => (type === 'cost' ? 'nanoUsd' : type);

/**
 * Multiplies a number by a power of ten by shifting its decimal digits, because a floating-point product may be inexact. Returns
 * undefined if the result has a fraction.
 */
const scale = (value: number, places: number): bigint | undefined => {
  const [, before = '', behind = '', exponent = '0'] = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  const digits = `${before}${behind}`;
  const shift = Number(exponent) - behind.length + places;
  if (shift >= 0) return BigInt(digits) * 10n ** BigInt(shift);
  return /^0*$/.test(digits.slice(shift)) ? BigInt(digits.slice(0, shift)) : undefined;
};

/** Lists the errors of an amount, which is at least 0. */
export const amountErrors = (place: readonly PointerToken[], value: number, type: LimitType): readonly Problem[] => {
  const amount = scale(value, decimals[type]);
  if (amount === undefined)
    return [
      type === 'cost'
        ? problem(
            place,
            `${value} US dollars is not a whole number of billionths.`,
            'Write at most nine decimal places.',
          )
        : problem(place, `${value} is not a whole number of ${words[type]}.`, 'Write a whole number.'),
    ];
  if (amount > BigInt(Number.MAX_SAFE_INTEGER))
    return [
      problem(
        place,
        `${value} ${words[type]} are more than can be counted exactly.`,
        `Write at most ${fromWhole(Number.MAX_SAFE_INTEGER, type)}.`,
      ),
    ];
  return [];
};

/** Converts an amount without errors to whole units: 0.1 of `cost` is 100000000. */
export const toWhole = (value: number, type: LimitType): number => Number(scale(value, decimals[type]));

/** Converts whole units to an amount. The quotient is the nearest floating-point number, which is the number that was written. */
export const fromWhole = (whole: number, type: LimitType): number => whole / 10 ** decimals[type];

/** A usage limit in a request body or a response. */
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
  // A value that was read may be sent back unchanged.
  if (toWindow(reset, time).start === time) return [];
  const when =
    periodic_reset === 'monthly'
      ? 'on the first day of each month'
      : `each ${{ monday: 'Monday', sunday: 'Sunday' }[week]}`;
  return [
    problem(
      at,
      `A ${periodic_reset} limit is reset ${when} at midnight (UTC), and not at this time.`,
      'Leave this out, or write periodic_reset_days instead of periodic_reset.',
    ),
  ];
};

/** Lists the errors of a usage limit that its schema cannot express. */
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
            'A limit has only one period, but periodic_reset is set as well.',
            'Leave one of the two out.',
          ),
        ]
      : []),
    ...nextResetErrors(place, body, week),
  ];
};

/**
 * Converts a usage limit without errors to its stored form. Days are counted from the same moment as before unless the body sets
 * another.
 */
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
    // The latest beginning of a period that is not in the future.
    reset_from: days === null ? null : toWindow({ every: 'days', days, from }, now).start,
  };
};

/** Returns a usage limit as it is shown, without the time of its next reset. */
export const shownUsage = (stored: StoredUsageLimits): Required<Omit<UsageLimitsBody, 'next_usage_reset_at'>> => ({
  credit_limit: fromWhole(stored.amount, stored.type),
  type: stored.type,
  alert_threshold: stored.alert_at === null ? null : fromWhole(stored.alert_at, stored.type),
  periodic_reset: stored.periodic_reset,
  periodic_reset_days: stored.reset_days,
});
