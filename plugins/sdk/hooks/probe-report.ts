import type { JsonPointer } from '../../../schema/json/pointer.ts';

/** A target whose circuit is not closed was asked whether it works again. */
export interface ProbeReport {
  /** Of its leaf. */
  readonly path: JsonPointer;
  readonly target: string;
  /** Whether it does, so that its circuit is closed. */
  readonly isUp: boolean;
}
