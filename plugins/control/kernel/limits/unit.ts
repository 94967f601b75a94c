/** What is counted: requests of clients, tokens of both directions, or billionths of a US dollar. */
export type Unit = 'requests' | 'tokens' | 'nanoUsd';

/**
 * When a counter begins anew, in UTC: at each full second, minute, hour or day; on Mondays or Sundays at midnight; on the
 * first day of each month; every so many days, counted from a moment in milliseconds since the epoch; or never.
 */
export type Reset =
  | { readonly every: 'second' | 'minute' | 'hour' | 'day' | 'monday' | 'sunday' | 'month' | 'never' }
  | { readonly every: 'days'; readonly days: number; readonly from: number };
