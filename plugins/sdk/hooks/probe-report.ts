import type { JsonPointer } from '../../../schema/json/pointer.ts';

/** The result of probing a target whose circuit is not closed. */
export interface ProbeReport {
  /** The place of the leaf in its plan. */
  readonly path: JsonPointer;
  readonly target: string;
  /** Whether the target works, so that its circuit is closed. */
  readonly isUp: boolean;
}
