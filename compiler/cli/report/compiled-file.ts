import type { Diagnostic } from '../../../schema/errors/diagnostic.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import type { WrittenPlan } from '../command-line/config-to-compile.ts';

/** The compiler's result for one file. */
export interface CompiledFile {
  readonly file: string;
  readonly text: string;
  /** Absent if it has errors, or if only findings are wanted. */
  readonly plan?: RoutingPlan;
  /** The name of its plan, if the plan itself is absent. */
  readonly name?: string;
  /** Its plan as JSON, instead of the plan, if a thread was requested to write it. */
  readonly written?: WrittenPlan;
  readonly diagnostics: readonly Diagnostic[];
}
