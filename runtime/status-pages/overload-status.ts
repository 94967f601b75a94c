/** A target that has a limit: how many attempts may be open, are open, and wait. */
interface LimitedTarget {
  readonly plan: string;
  readonly target: string;
  readonly limit: number;
  readonly open: number;
  readonly waiting: number;
  /** How many attempts have waited and gone on, and for how many milliseconds together. */
  readonly waited: number;
  readonly waitedMs: number;
}

/** How a gateway does that protects itself against overload. */
export interface OverloadStatus {
  /** The part of the requests of all priorities that is admitted, of 1. */
  readonly admitted: number;
  readonly targets: readonly LimitedTarget[];
}
