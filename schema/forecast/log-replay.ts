import type { TrailEvent } from '../trail/trail.ts';

/** The path of a request through a plan. Places and targets are those of that plan. */
export interface ReplayedWay {
  /** Null if it is not known. */
  readonly status: number | null;
  /** The code of the error, if the gateway itself responds. */
  readonly cause?: string;
  /** Its decisions, up to the first one that is not known. */
  readonly trail: readonly TrailEvent[];
}

/** Where a logged request would have gone with another plan. */
export interface LogReplayed {
  /**
   * `unchanged`: its calls and its status stay the same. `refused`: it would call no provider. `undecided`: a condition reads
   * something that the log lacks.
   */
  readonly kind: 'unchanged' | 'elsewhere' | 'refused' | 'undecided';
  readonly before: ReplayedWay;
  readonly after: ReplayedWay;
  /** The facts that conditions read and the log lacks. */
  readonly lacks: readonly string[];
  /** `elsewhere: gpt 200 → claude 200`, as `gw replay` prints it. */
  readonly text: string;
}
