/** The members of a log record that the figures of targets need. */
export interface LoggedRequest {
  readonly target: string | null;
  readonly ms: number;
  readonly is_success: boolean;
  readonly problem: { readonly cause?: string } | null;
}

/** The requests that ended at a target. */
export interface TargetFigures {
  readonly target: string;
  readonly requests: number;
  /** The share of all counted requests, from 0 to 1. */
  readonly share: number;
  readonly errors: number;
  /** The time within which 95 % of its requests ended, in milliseconds. */
  readonly p95Ms: number;
  /** The number of requests that found its circuit open. */
  readonly openCircuit: number;
}

/** Returns the smallest time that at least 95 % of the times do not exceed. */
const p95 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(times.length * 0.95) - 1)] ?? 0;

/** Counts requests by the target at which they ended, the busiest target first. Omits requests that reached no target. */
export const targetFigures = (requests: readonly LoggedRequest[]): readonly TargetFigures[] => {
  const reached = requests.filter(({ target }) => target !== null);
  return [...Map.groupBy(reached, ({ target }) => target ?? '')]
    .map(([target, at]) => ({
      target,
      requests: at.length,
      share: at.length / reached.length,
      errors: at.filter(({ is_success }) => !is_success).length,
      p95Ms: p95(at.map(({ ms }) => ms)),
      openCircuit: at.filter(({ problem }) => problem?.cause === 'circuit-open').length,
    }))
    .toSorted((a, b) => b.requests - a.requests || (a.target < b.target ? -1 : 1));
};
