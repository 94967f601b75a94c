import { compile } from '../../../compiler/compile.ts';
import type { Trust } from '../../../schema/config/trust.ts';
import type { Json } from '../../../schema/json/json.ts';
import { listLeaves } from '../../../schema/plan/list-leaves.ts';
import type { CompileResult, LeafNode, RoutingPlan, Target } from '../../../schema/plan/plan.ts';
import { testCatalogue as catalogue, testSaved as saved } from './catalogue.ts';

/** Compiles a config with the test catalogue. */
export const compiled = (config: Json, trust: Trust = 'operator'): CompileResult =>
  compile(JSON.stringify(config), { trust, catalogue, saved });

/** Returns the plan of a valid config. */
export const readPlan = (config: Json, trust: Trust = 'operator'): RoutingPlan => {
  const { plan, diagnostics } = compiled(config, trust);
  if (plan === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return plan;
};

/** Returns the codes of a config's diagnostics. */
export const toCodes = (config: Json, trust: Trust = 'operator'): readonly string[] =>
  compiled(config, trust).diagnostics.map(({ code }) => code);

/** Returns the targets of a valid config. */
export const readTargets = (config: Json, trust: Trust = 'operator'): readonly Target[] =>
  readPlan(config, trust).targets;

/** Returns the leaves of a valid config, in the order of the text. */
export const leavesIn = (config: Json): readonly LeafNode[] => listLeaves(readPlan(config).root);
