import type { DeclaredLabels } from '../../schema/config/declared-labels.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';
import { emitPlanJson } from './emit-plan-json.ts';
import { emitPlanModule } from './emit-plan-module.ts';
import { MissingTsMorphError } from './load-ts-morph.ts';

export interface PlanToEmit {
  readonly plan: RoutingPlan;
  /** Whether a typed module is written too. */
  readonly types: boolean;
  /** The labels that the gateway file declares, for their types. */
  readonly labels?: DeclaredLabels | undefined;
}

/** The texts of a plan's files, or what is missing to write them. */
export type EmittedPlan =
  | { readonly json: string; readonly module?: string }
  | { readonly missing: { readonly fact: string; readonly hint: string } };

/** Writes a plan as JSON and, with `types`, as a TypeScript module. */
export const emitPlan = ({ plan, types, labels }: PlanToEmit): EmittedPlan => {
  const json = emitPlanJson(plan);
  if (!types) return { json };
  try {
    return { json, module: emitPlanModule(plan, labels) };
  } catch (error) {
    if (!(error instanceof MissingTsMorphError)) throw error;
    return { missing: { fact: error.fact, hint: error.hint } };
  }
};
