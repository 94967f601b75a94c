import { compile } from '../../../compiler/compile.ts';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import { buildCatalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';

const catalogue = buildCatalogue(builtinPlugins);

/** Compiles an operator's config to a plan. Throws with the diagnostics if there are errors. */
export const compileConfig = (text: string, name = 'sample'): RoutingPlan => {
  const { plan, diagnostics } = compile(text, { trust: 'operator', catalogue, file: `configs/${name}.json`, name });
  if (plan === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return plan;
};
