/** A record of the log, as far as figures of targets need it. */
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
  /** Of all requests that were counted, from 0 to 1. */
  readonly share: number;
  readonly errors: number;
  /** The time that 95 % of its requests took at most, in milliseconds. */
  readonly p95Ms: number;
  /** The requests that found its circuit open. */
  readonly openCircuit: number;
}

/** The smallest time that at least 95 % of the times do not exceed. */
const p95 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(times.length * 0.95) - 1)] ?? 0;

/** Adds up requests by the target at which they ended, the one with the most first. Those that reached none are left out. */
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
