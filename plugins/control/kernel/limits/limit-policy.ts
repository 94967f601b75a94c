/** The unit that is counted: requests of clients, tokens of both directions, or billionths of a US dollar. */
export type Unit = 'requests' | 'tokens' | 'nanoUsd';

/**
 * When a counter starts again from 0, in UTC: at each full second, minute, hour or day; at midnight on Mondays or Sundays; on the
 * first day of each month; every so many days, counted from a moment in milliseconds since the epoch; or never.
 */
export type Reset =
  | { readonly every: 'second' | 'minute' | 'hour' | 'day' | 'monday' | 'sunday' | 'month' | 'never' }
  | { readonly every: 'days'; readonly days: number; readonly from: number };

/** A condition on the requests that a policy covers. A request is covered only if it meets all conditions. */
export interface PolicyCondition {
  /**
   * `api_key` (the key's id), `metadata.<k>`, `virtual_key`, `provider`, `config`, `prompt`, `model`, `endpoint_type`,
   * `workspace_id`, `organisation_id`.
   */
  readonly key: string;
  /**
   * One of these; `*` at the beginning, at the end or at both stands for any text, and `*` alone for any value that is present.
   */
  readonly values: readonly string[];
  /** None of these. They are written in the same way as `values`. */
  readonly excludes: readonly string[];
}

/** A limit in the form that requests need: a policy, or a limit of a key, a workspace, a provider or a virtual key itself. */
export interface LimitPolicy {
  /** The UUID of a policy; for other limits, the id of the record that has the limit, and which of its limits this is. */
  readonly id: string;
  /** The name shown to people. */
  readonly name: string;
  /** The response is 412 if a usage limit is exceeded, and 429 if a rate limit is exceeded. */
  readonly kind: 'usage' | 'rate';
  readonly conditions: readonly PolicyCondition[];
  /** Each combination of values of these keys has its own counter. Requests that lack one of the keys are not covered. */
  readonly groupBy: readonly string[];
  readonly unit: Unit;
  /** In whole units. */
  readonly limit: number;
  readonly reset: Reset;
  /** The operator is notified once per window, when a counter reaches this amount. In whole units. */
  readonly alertAt?: number;
  /** How to treat a request if its counter cannot be read, or if its usage cannot be measured or priced. */
  readonly ifUnknown: 'allow' | 'refuse';
  /** Whether it stands for the limits of a row that cannot be read. It admits nothing. */
  readonly isUnreadable?: true;
}

/** The limits that are in force. */
export interface PolicyView {
  /** Returns the policies of a workspace and of its organisation. Returns the same list until something changes. */
  findPolicies(workspace: string, organisation: string): readonly LimitPolicy[];
}

/** Whether a text is a pattern, rather than a literal text. */
export const isPattern = (text: string): boolean => text.startsWith('*') || text.endsWith('*');

/** Creates a function that matches texts: `*` at an end stands for any text there, and `*` alone for any text at all. */
export const textPattern = (pattern: string): ((text: string) => boolean) => {
  if (pattern === '*') return () => true;
  const isOpenFirst = pattern.startsWith('*');
  const isOpenLast = pattern.endsWith('*');
  const kept = pattern.slice(isOpenFirst ? 1 : 0, isOpenLast ? -1 : undefined);
  if (isOpenFirst && isOpenLast) return (text) => text.includes(kept);
  if (isOpenFirst) return (text) => text.endsWith(kept);
  return isOpenLast ? (text) => text.startsWith(kept) : (text) => text === kept;
};

/** The period in which a counter counts, in milliseconds since the epoch. */
interface Window {
  /** 0 if the counter never starts again. */
  readonly start: number;
  /** The first moment after the window; absent if the counter never starts again. */
  readonly end?: number;
}

const day = 86_400_000;

/** Windows of equal length: how long each is, and when one of them begins. */
const regular = {
  second: { length: 1000, from: 0 },
  minute: { length: 60_000, from: 0 },
  hour: { length: 3_600_000, from: 0 },
  day: { length: day, from: 0 },
  // The first Monday and the first Sunday after the epoch, which was a Thursday.
  monday: { length: 7 * day, from: 4 * day },
  sunday: { length: 7 * day, from: 3 * day },
} as const;

/** Returns the window, in UTC, that contains a moment. All times are in milliseconds since the epoch. */
export const toWindow = (reset: Reset, at: number): Window => {
  if (reset.every === 'never') return { start: 0 };
  if (reset.every === 'month') {
    const date = new Date(at);
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    return { start: Date.UTC(year, month), end: Date.UTC(year, month + 1) };
  }
  const { length, from } =
    reset.every === 'days' ? { length: reset.days * day, from: reset.from } : regular[reset.every];
  const start = from + Math.floor((at - from) / length) * length;
  return { start, end: start + length };
};

/** The periods that begin at the same moments for all limits, the longest first. */
export const commonResets: readonly Reset[] = [
  ...([{ every: 'never' }, { every: 'month' }, { every: 'monday' }, { every: 'sunday' }] as const),
  ...([{ every: 'day' }, { every: 'hour' }, { every: 'minute' }, { every: 'second' }] as const),
];

/**
 * Lists when current windows began, each once: those of the limits, and those of all common periods. If the period of a limit is
 * changed, its counter continues in a window that may have begun before the one in which it last counted.
 */
export const presentWindows = (limits: Iterable<readonly LimitPolicy[]>, now: number): readonly number[] => {
  const starts = new Set(commonResets.map((reset) => toWindow(reset, now).start));
  for (const policies of limits) for (const { reset } of policies) starts.add(toWindow(reset, now).start);
  return [...starts];
};

/** One counter of a policy. */
export interface PolicyBucket {
  /** The name of the counter in the charges of the policy. */
  readonly bucket: string;
  /**
   * The values of the keys that the policy groups by, in their order. Absent if the name of the counter does not contain them,
   * because the counter is shared or the name was too long.
   */
  readonly values?: readonly string[];
  /** The usage in its window, in whole units. */
  readonly used: number;
  /** Whether the operator was notified in this window that the threshold, or the limit, was reached. */
  readonly notified: { readonly threshold: boolean; readonly exhausted: boolean };
}

/** Reads the usage of limits, for people. */
export interface CounterReader {
  /** Returns, for each policy in order, the counters with usage in their windows. */
  readBuckets(policies: readonly LimitPolicy[]): Promise<readonly (readonly PolicyBucket[])[]>;
  /** Sets the usage of a counter in its window to 0. */
  reset(policy: LimitPolicy, bucket: string): Promise<void>;
}

/** Used if nothing is counted. */
export const noCounters: CounterReader = {
  readBuckets: async (policies) => policies.map(() => []),
  reset: async () => {},
};
