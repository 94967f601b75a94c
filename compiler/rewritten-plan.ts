import type { KeptCompileResult } from '../schema/plan/plan.ts';
import type { ReportedDiagnostic } from './diagnostics/reporter.ts';
import { sealPlan } from './lower/seal-plan.ts';
import type { LoweredConfig } from './lower-config.ts';
import { rewritePlan } from './optimise/rewrite-plan.ts';

/** A plan, or what keeps a text from being one: each finding has a code of the compiler's table. */
export interface CompilerResult extends KeptCompileResult {
  readonly diagnostics: readonly ReportedDiagnostic[];
}

/** The back of the compiler: the plan of a config that was read, rewritten and sealed. */
export const rewrittenPlan = ({ parts, name: _, ...rest }: LoweredConfig): CompilerResult => {
  if (parts === undefined) return rest;
  return { plan: sealPlan({ ...parts, root: rewritePlan(parts.root) }), ...rest };
};
