import type { Diagnostic } from '../../../schema/errors/diagnostic.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';

/** The compiler's result for one file. */
export interface CompiledFile {
  readonly file: string;
  readonly text: string;
  /** Absent where it has errors, and where only findings are wanted. */
  readonly plan?: RoutingPlan;
  /** The name of its plan, where that was not made because only findings are wanted. */
  readonly name?: string;
  readonly diagnostics: readonly Diagnostic[];
}
