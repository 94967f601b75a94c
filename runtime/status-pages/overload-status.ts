/** A target with a limit: how many attempts may be open, are open, and wait. */
interface LimitedTarget {
  readonly plan: string;
  readonly target: string;
  readonly limit: number;
  readonly open: number;
  readonly waiting: number;
  /** How many attempts have waited and continued, and for how many milliseconds together. */
  readonly waited: number;
  readonly waitedMs: number;
}

/** The status of a gateway's overload protection. */
export interface OverloadStatus {
  /** The fraction of requests of all priorities that is admitted, from 0 to 1. */
  readonly admitted: number;
  readonly targets: readonly LimitedTarget[];
}
