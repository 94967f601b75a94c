import { fromJson } from '../../../../schema/json/from-json.ts';
import { isTexts } from '../../../../schema/json/json.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { PointerToken } from '../../../../schema/json/pointer.ts';
import { type Problem, problem } from '../requests/problem.ts';
import { secondsOrNull } from '../requests/to-seconds.ts';
import { toWindow } from './limit-policy.ts';
import {
  amountErrors,
  type StoredUsageLimits,
  shownUsage,
  toReset,
  toStoredUsage,
  type UsageLimitsBody,
  usageLimitsErrors,
} from './usage-limits.ts';

/** A rate limit of a key, a workspace, a provider or a virtual key. */
export interface RateLimit {
  readonly type: 'requests' | 'tokens';
  readonly unit: 'rps' | 'rpm' | 'rph' | 'rpd' | 'rpw';
  readonly value: number;
}

/** A change of a record's own limits. Absent members stay as they are; null removes a limit. */
export interface OwnLimitsBody {
  readonly rate_limits?: readonly RateLimit[] | null;
  readonly usage_limits?: UsageLimitsBody | null;
}

/** The stored limits of a record itself. */
export interface OwnLimits {
  readonly rate_limits: readonly RateLimit[];
  readonly usage_limits: StoredUsageLimits | null;
  /** For keys: the ids of the keys whose limits also apply, because they created this key; the outermost first. */
  readonly shares?: readonly string[];
}

/** The limits of a record itself, as they are shown. Times are in seconds since the epoch. */
export interface ShownLimits {
  readonly rate_limits: readonly RateLimit[];
  readonly usage_limits: Required<UsageLimitsBody> | null;
}

/** Weeks begin on Sundays, except in policies. */
export const ownWeek = 'sunday';

/** Parses stored limits. The store contains only what the rules accepted. */
export const storedLimits = (text: string | null): OwnLimits =>
  text === null ? { rate_limits: [], usage_limits: null } : (fromJson(text) as OwnLimits);

/** Returns the ids of the keys whose limits also apply to a key; undefined if its limits name none or cannot be read. */
export const sharedLimits = (text: string | null): OwnLimits['shares'] => {
  const shares = text === null ? undefined : parseObject(text)?.shares;
  return isTexts(shares) ? shares : undefined;
};

const rateErrors = (place: readonly PointerToken[], limits: readonly RateLimit[]): readonly Problem[] =>
  limits.flatMap(({ type, unit, value }, at) => [
    ...amountErrors([...place, 'rate_limits', at, 'value'], value, type),
    ...(limits.findIndex((other) => other.type === type && other.unit === unit) === at
      ? []
      : [
          problem(
            [...place, 'rate_limits', at],
            `There is already a limit of ${type} with the unit ${unit}.`,
            'Leave one of the two out.',
          ),
        ]),
  ]);

/** Lists the errors of limits that their schema cannot express. `place` is the member that contains them; the body if absent. */
export const ownLimitsErrors = (
  { rate_limits, usage_limits }: OwnLimitsBody,
  place: readonly PointerToken[] = [],
): readonly Problem[] => [
  ...rateErrors(place, rate_limits ?? []),
  ...(usage_limits == null ? [] : usageLimitsErrors([...place, 'usage_limits'], usage_limits, ownWeek)),
];

/**
 * Returns limits without errors as they are stored after a change, or null if there are none. `now` is in milliseconds since the
 * epoch. A change never removes the shared limits of a key.
 */
export const changedLimits = (
  { rate_limits, usage_limits }: OwnLimitsBody,
  { before: text, now }: { readonly before: string | null; readonly now: number },
): string | null => {
  const before = storedLimits(text);
  const usage = (): StoredUsageLimits | null => {
    if (usage_limits === undefined) return before.usage_limits;
    if (usage_limits === null) return null;
    return toStoredUsage(usage_limits, { now, before: before.usage_limits ?? undefined });
  };
  const after: OwnLimits = {
    rate_limits: rate_limits === undefined ? before.rate_limits : (rate_limits ?? []),
    usage_limits: usage(),
    ...(before.shares === undefined ? {} : { shares: before.shares }),
  };
  const isEmpty = after.rate_limits.length === 0 && after.usage_limits === null && after.shares === undefined;
  return isEmpty ? null : JSON.stringify(after);
};

/** Returns the limits of a new key that shares the limits of other keys. */
export const sharingLimits = (text: string | null, shares: readonly string[]): string | null =>
  shares.length === 0 ? text : JSON.stringify({ ...storedLimits(text), shares });

/** Returns limits as they are shown at a time (milliseconds since the epoch). */
export const shownLimits = (text: string | null, now: number): ShownLimits => {
  const { rate_limits, usage_limits } = storedLimits(text);
  if (usage_limits === null) return { rate_limits, usage_limits };
  const next = toWindow(toReset(usage_limits, ownWeek), now).end ?? null;
  return { rate_limits, usage_limits: { ...shownUsage(usage_limits), next_usage_reset_at: secondsOrNull(next) } };
};
