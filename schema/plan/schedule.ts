/** The longest single wait before a retry, and the longest sum of one leaf's waits, in milliseconds. */
export const maxRetryWaitMs = 60_000;

/** The default time-out of an attempt, in milliseconds. */
export const defaultTimeoutMs = 600_000;

/** The longest silence between two events of a stream, in milliseconds. */
export const defaultIdleMs = 120_000;

/** The most immediate attempts with other keys of a target that follow one attempt. */
export const maxOtherKeys = 2;

/** A wait in milliseconds, drawn uniformly from `from` to `to`. */
export interface WaitInterval {
  readonly from: number;
  readonly to: number;
}

/** Returns the wait before retry `n` (1 is the first): the upper half of 1 s · 2^(n-1). */
export const backoff = (n: number): WaitInterval => {
  const to = 1000 * 2 ** (n - 1);
  return { from: to / 2, to };
};

const milliseconds = (text: string | undefined): number | undefined => {
  if (text === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(text)) return undefined;
  return Number(text);
};

/** The three forms of an HTTP date (RFC 9110 §5.6.7). `Date.parse` would also accept `-5` and `1, 2`. */
const httpDates: readonly RegExp[] = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/** Parses an HTTP date as milliseconds since the epoch. The form without a time zone is GMT too. */
const dateMs = (text: string): number | undefined => {
  const trimmed = text.trim();
  if (!httpDates.some((form) => form.test(trimmed))) return undefined;
  const ms = Date.parse(trimmed.endsWith('GMT') ? trimmed : `${trimmed} GMT`);
  return Number.isNaN(ms) ? undefined : ms;
};

/**
 * Returns the wait that a provider requests, in milliseconds: `retry-after-ms`, then `x-ms-retry-after-ms`, then `retry-after`
 * as seconds or as an HTTP date (RFC 9110 §10.2.3). Other values are ignored. `wallNow` is in milliseconds
 * since the epoch.
 */
export const retryAfterMs = (header: (name: string) => string | undefined, wallNow: number): number | undefined => {
  const exact = milliseconds(header('retry-after-ms')) ?? milliseconds(header('x-ms-retry-after-ms'));
  if (exact !== undefined) return exact;
  const text = header('retry-after');
  const seconds = milliseconds(text);
  if (seconds !== undefined) return seconds * 1000;
  const date = text === undefined ? undefined : dateMs(text);
  return date === undefined ? undefined : Math.max(0, date - wallNow);
};

/**
 * Returns the longest sum of a leaf's waits between attempts. If `retry-after` is followed, a provider can use up the whole
 * minute.
 */
export const longestRetryMs = ({
  attempts,
  on,
  useRetryAfter,
}: {
  readonly attempts: number;
  readonly on: readonly number[];
  readonly useRetryAfter: boolean;
}): number => {
  if (useRetryAfter && on.length > 0) return maxRetryWaitMs;
  const waits = Array.from({ length: attempts }, (_, index) => backoff(index + 1).to);
  return Math.min(
    maxRetryWaitMs,
    waits.reduce((sum, wait) => sum + wait, 0),
  );
};
