import type { TrailEvent } from '../trail/trail.ts';

/** The way of a request through a plan, its places and targets those of that plan. */
export interface ReplayedWay {
  /** Null where it is not known. */
  readonly status: number | null;
  /** The code of the error, where the gateway itself answers. */
  readonly cause?: string;
  /** Its decisions; those before the first that is not known. */
  readonly trail: readonly TrailEvent[];
}

/** Where a request of a log would have gone on another plan. */
export interface LogReplayed {
  /**
   * `unchanged`: its calls and its status are. `refused`: it now calls nobody. `undecided`: a condition reads what the log lacks.
   */
  readonly kind: 'unchanged' | 'elsewhere' | 'refused' | 'undecided';
  readonly before: ReplayedWay;
  readonly after: ReplayedWay;
  /** The facts that conditions read and the log lacks. */
  readonly lacks: readonly string[];
  /** `elsewhere: gpt 200 → claude 200`, as `gw replay` prints it. */
  readonly text: string;
}
