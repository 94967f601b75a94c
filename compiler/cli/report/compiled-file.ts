import type { Diagnostic } from '../../../schema/errors/diagnostic.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import type { WrittenPlan } from '../command-line/config-to-compile.ts';

/** The compiler's result for one file. */
export interface CompiledFile {
  readonly file: string;
  readonly text: string;
  /** Absent where it has errors, and where only findings are wanted. */
  readonly plan?: RoutingPlan;
  /** The name of its plan, where that is not there itself. */
  readonly name?: string;
  /** Its plan as JSON, in place of the plan, where a thread made it that was asked for that. */
  readonly written?: WrittenPlan;
  readonly diagnostics: readonly Diagnostic[];
}
