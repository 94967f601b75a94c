import type { KeptCompileResult } from '../schema/plan/plan.ts';
import type { ReportedDiagnostic } from './diagnostics/reporter.ts';
import { sealPlan } from './lower/seal-plan.ts';
import type { LoweredConfig } from './lower-config.ts';
import { rewritePlan } from './optimise/rewrite-plan.ts';

/** A plan, or what prevents a text from being one. Each finding has a code of the compiler's table. */
export interface CompilerResult extends KeptCompileResult {
  readonly diagnostics: readonly ReportedDiagnostic[];
}

/** The back of the compiler: rewrites and seals the plan of a config that was read. */
export const rewrittenPlan = ({ parts, name: _, ...rest }: LoweredConfig): CompilerResult => {
  if (parts === undefined) return rest;
  return { plan: sealPlan({ ...parts, root: rewritePlan(parts.root) }), ...rest };
};
