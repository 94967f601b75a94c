import type { KeptCompileResult } from '../schema/plan/plan.ts';
import { sealPlan } from './lower/seal-plan.ts';
import type { LoweredConfig } from './lower-config.ts';
import { rewritePlan } from './optimise/rewrite-plan.ts';

/** The back of the compiler: the plan of a config that was read, rewritten and sealed. */
export const rewrittenPlan = ({ parts, name: _, ...rest }: LoweredConfig): KeptCompileResult => {
  if (parts === undefined) return rest;
  return { plan: sealPlan({ ...parts, root: rewritePlan(parts.root) }), ...rest };
};
