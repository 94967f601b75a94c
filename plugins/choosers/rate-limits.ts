import type { ChooserOutcome } from '../sdk/chooser/chooser.ts';

/** The share of an account's limit that is left, until its window ends. */
export interface Headroom {
  /** From 0 to 1. */
  readonly share: number;
  /** Milliseconds from the answer. */
  readonly forMs: number;
}

/**
 * How long a report is used if the provider does not specify the end of its window. For OpenAI and Anthropic, windows are a
 * minute.
 */
const windowMs = 60_000;

/** The maximum time for which an account is avoided. */
const maxMs = 10 * 60_000;

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses a time as written by OpenAI (`6m0s`, `120ms`) or Anthropic (RFC 3339), or in seconds. */
const untilMs = (text: string | undefined, wall: number): number | undefined => {
  if (text === undefined) return undefined;
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
  if (/^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(text))
    return [...text.matchAll(/([\d.]+)(ms|[smhd])/g)].reduce(
      (sum, [, count, unit = '']) => sum + Number(count) * (unitMs[unit] ?? 0),
      0,
    );
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at - wall;
};

const bounded = (ms: number | undefined): number => Math.min(maxMs, Math.max(0, ms ?? windowMs));

/** The names of the headers of one limit. */
interface LimitHeaders {
  readonly limit: string;
  readonly remaining: string;
  readonly reset: string;
}

const openai = (what: string): LimitHeaders => ({
  limit: `x-ratelimit-limit-${what}`,
  remaining: `x-ratelimit-remaining-${what}`,
  reset: `x-ratelimit-reset-${what}`,
});

const anthropic = (what: string): LimitHeaders => ({
  limit: `anthropic-ratelimit-${what}-limit`,
  remaining: `anthropic-ratelimit-${what}-remaining`,
  reset: `anthropic-ratelimit-${what}-reset`,
});

/** https://platform.openai.com/docs/guides/rate-limits, https://docs.anthropic.com/en/api/rate-limits */
const limits: readonly LimitHeaders[] = [
  openai('requests'),
  openai('tokens'),
  anthropic('requests'),
  anthropic('tokens'),
  anthropic('input-tokens'),
  anthropic('output-tokens'),
];

const countOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

const ofLimit = (
  { limit, remaining, reset }: LimitHeaders,
  outcome: ChooserOutcome,
  wall: number,
): readonly Headroom[] => {
  const [all, left] = [countOf(outcome.header(limit)), countOf(outcome.header(remaining))];
  if (all === undefined || left === undefined || all === 0) return [];
  return [{ share: Math.min(1, left / all), forMs: bounded(untilMs(outcome.header(reset), wall)) }];
};

/**
 * Returns the smallest share of a limit that an answer reports as left. After a 429, nothing is left for as long as `retry-after`
 * specifies. Returns undefined if nothing is reported.
 *
 * @param wall milliseconds since the epoch
 */
export const headroomIn = (outcome: ChooserOutcome, wall: number): Headroom | undefined => {
  if (outcome.status === 429) return { share: 0, forMs: bounded(untilMs(outcome.header('retry-after'), wall)) };
  const found = limits.flatMap((headers) => ofLimit(headers, outcome, wall));
  return found.reduce<Headroom | undefined>(
    (min, each) => (min === undefined || each.share < min.share ? each : min),
    undefined,
  );
};
