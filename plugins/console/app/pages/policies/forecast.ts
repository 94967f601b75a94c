export interface Spent {
  readonly used: number;
  readonly limit: number;
  /** When counting began, in Unix milliseconds. */
  readonly since: number;
  /** When the counter resets; undefined if never. */
  readonly resetsAt: number | undefined;
  readonly now: number;
}

/** When a budget will be used up at its average pace so far. */
export type Forecast =
  | { readonly status: 'used-up' }
  | { readonly status: 'used-up-at'; readonly at: number }
  | { readonly status: 'lasts' }
  | { readonly status: 'unknown' };

/** A shorter time is not enough to estimate a pace. */
const minMs = 60_000;

/** Nobody plans further ahead than this. */
const longestMs = 10 * 366 * 86_400_000;

export const forecast = ({ used, limit, since, resetsAt, now }: Spent): Forecast => {
  if (used >= limit) return { status: 'used-up' };
  const elapsed = now - since;
  if (used <= 0 || elapsed < minMs) return { status: 'unknown' };
  const left = ((limit - used) / used) * elapsed;
  if (left > longestMs) return { status: 'lasts' };
  const at = now + left;
  return resetsAt !== undefined && at >= resetsAt ? { status: 'lasts' } : { status: 'used-up-at', at };
};
