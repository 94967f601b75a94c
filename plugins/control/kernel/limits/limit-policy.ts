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
