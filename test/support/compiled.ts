import { compile } from '../../compiler/compile.ts';
import type { Trust } from '../../schema/config/trust.ts';
import type { Json } from '../../schema/json/json.ts';
import { listLeaves } from '../../schema/plan/list-leaves.ts';
import type { CompileResult, LeafNode, RoutingPlan, Target } from '../../schema/plan/plan.ts';
import { testCatalogue as catalogue, testSaved as saved } from './catalogue.ts';

/** What the compiler says of a config in the test catalogue. */
export const compiled = (config: Json, trust: Trust = 'operator'): CompileResult =>
  compile(JSON.stringify(config), { trust, catalogue, saved });

/** The plan of a config that is right. */
export const readPlan = (config: Json, trust: Trust = 'operator'): RoutingPlan => {
  const { plan, diagnostics } = compiled(config, trust);
  if (plan === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return plan;
};

/** The codes of what is wrong with a config. */
export const toCodes = (config: Json, trust: Trust = 'operator'): readonly string[] =>
  compiled(config, trust).diagnostics.map(({ code }) => code);

/** The targets of a config that is right. */
export const readTargets = (config: Json, trust: Trust = 'operator'): readonly Target[] =>
  readPlan(config, trust).targets;

/** The leaves of a config that is right, in the order of the text. */
export const leavesIn = (config: Json): readonly LeafNode[] => listLeaves(readPlan(config).root);
