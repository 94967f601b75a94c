import type { ServedPlan } from './served-plan.ts';

/** A plan of a generation, and its source. */
export interface GenerationEntry {
  /** The hash of its source text. The same text is not compiled again. */
  readonly source: string;
  readonly file: string;
  readonly served: ServedPlan;
}
