/** The unit that is counted: requests of clients, tokens of both directions, or billionths of a US dollar. */
export type Unit = 'requests' | 'tokens' | 'nanoUsd';

/**
 * When a counter begins anew, in UTC: at each full second, minute, hour or day; on Mondays or Sundays at midnight; on the
 * first day of each month; every so many days, counted from a moment in milliseconds since the epoch; or never.
 */
export type Reset =
  | { readonly every: 'second' | 'minute' | 'hour' | 'day' | 'monday' | 'sunday' | 'month' | 'never' }
  | { readonly every: 'days'; readonly days: number; readonly from: number };

/** A condition on the requests that a policy covers: all of its conditions must hold. */
export interface PolicyCondition {
  /**
   * `api_key` (the key's id), `metadata.<k>`, `virtual_key`, `provider`, `config`, `prompt`, `model`, `endpoint_type`,
   * `workspace_id`, `organisation_id`.
   */
  readonly key: string;
  /** One of these; `*` at the beginning, at the end or at both stands for any text, and alone for any value that is there. */
  readonly values: readonly string[];
  /** None of these, which are written in the same way. */
  readonly excludes: readonly string[];
}

/** A limit, as requests need it: a policy, or what a key, a workspace, a provider or a virtual key has of its own. */
export interface LimitPolicy {
  /** A UUID for policies; for others the id of what has the limit, and which of its limits it is. */
  readonly id: string;
  /** The name for people. */
  readonly name: string;
  /** Over a usage limit the answer is 412, over a rate limit 429. */
  readonly kind: 'usage' | 'rate';
  readonly conditions: readonly PolicyCondition[];
  /** Each tuple of the values of these keys has a counter; requests that lack one of them are not covered. */
  readonly groupBy: readonly string[];
  readonly unit: Unit;
  /** Whole units. */
  readonly limit: number;
  readonly reset: Reset;
  /** The operator is notified once in a window when a counter reaches this; whole units. */
  readonly alertAt?: number;
  /** The treatment of a request whose counter cannot be asked, or whose usage cannot be measured or priced. */
  readonly ifUnknown: 'allow' | 'refuse';
  /** It stands for limits of a row that cannot be read, and admits nothing. */
  readonly isUnreadable?: true;
}

/** The limits that are in force. */
export interface PolicyView {
  /** Those of a workspace and of its organisation. The same list as long as nothing has changed. */
  findPolicies(workspace: string, organisation: string): readonly LimitPolicy[];
}

/** Whether a text is a pattern, and not the one text that it matches. */
export const isPattern = (text: string): boolean => text.startsWith('*') || text.endsWith('*');

/** Matches a text: `*` at an end stands for any text there, and alone for any text at all. */
export const textPattern = (pattern: string): ((text: string) => boolean) => {
  if (pattern === '*') return () => true;
  const isOpenFirst = pattern.startsWith('*');
  const isOpenLast = pattern.endsWith('*');
  const kept = pattern.slice(isOpenFirst ? 1 : 0, isOpenLast ? -1 : undefined);
  if (isOpenFirst && isOpenLast) return (text) => text.includes(kept);
  if (isOpenFirst) return (text) => text.endsWith(kept);
  return isOpenLast ? (text) => text.startsWith(kept) : (text) => text === kept;
};

/** The time in which a counter counts, in milliseconds since the epoch. */
interface Window {
  /** 0 if the counter never begins anew. */
  readonly start: number;
  /** The first moment after it; absent if the counter never begins anew. */
  readonly end?: number;
}

const day = 86_400_000;

/** Windows that follow each other at equal distances: how long they are, and when one of them begins. */
const regular = {
  second: { length: 1000, from: 0 },
  minute: { length: 60_000, from: 0 },
  hour: { length: 3_600_000, from: 0 },
  day: { length: day, from: 0 },
  // The first Monday and the first Sunday since the epoch, which was a Thursday.
  monday: { length: 7 * day, from: 4 * day },
  sunday: { length: 7 * day, from: 3 * day },
} as const;

/** Finds the window that a moment is in, in UTC. Time is in milliseconds since the epoch, and so is the moment. */
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

/**
 * Lists when the present windows of limits began, each once. Where the period of a limit was changed, its counter goes on in a window
 * that may have begun before the one in which it counted last.
 */
export const presentWindows = (limits: Iterable<readonly LimitPolicy[]>, now: number): readonly number[] => {
  const starts = new Set<number>();
  for (const policies of limits) for (const { reset } of policies) starts.add(toWindow(reset, now).start);
  return [...starts];
};

/** One counter of a policy. */
export interface PolicyBucket {
  /** As the charges of the policy name it. */
  readonly bucket: string;
  /** The values of the keys that the policy groups by, in their order; absent where the name of the counter does not have them: it is shared, or was too long. */
  readonly values?: readonly string[];
  /** The usage in its window, in whole units. */
  readonly used: number;
  /** Whether the operator was notified in its window that the threshold, or the limit, was reached. */
  readonly notified: { readonly threshold: boolean; readonly exhausted: boolean };
}

/** Reads the usage of limits, for people. */
export interface CounterReader {
  /** For each policy, in their order, the counters that have used something in their windows. */
  readBuckets(policies: readonly LimitPolicy[]): Promise<readonly (readonly PolicyBucket[])[]>;
  /** Sets what a counter has used in its window to 0. */
  reset(policy: LimitPolicy, bucket: string): Promise<void>;
}

/** Where nothing is counted. */
export const noCounters: CounterReader = {
  readBuckets: async (policies) => policies.map(() => []),
  reset: async () => {},
};
