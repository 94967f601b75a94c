import type { Diagnostic } from '../../../schema/errors/diagnostic.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';

/** The compiler's result for one file. */
export interface CompiledFile {
  readonly file: string;
  readonly text: string;
  readonly plan?: RoutingPlan;
  readonly diagnostics: readonly Diagnostic[];
}
