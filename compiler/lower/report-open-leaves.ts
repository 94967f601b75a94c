import { readVirtualTargets, virtualNames } from '../../schema/config/virtual-models.ts';
import { leavesWithoutModel, type OpenLeaf } from '../../schema/plan/leaves-without-model.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';
import { planFileName } from '../../schema/plan/plan-file-name.ts';
import type { CompileContext } from '../resolve/context/compile-context.ts';

const suggestions: { readonly [What in OpenLeaf['leaves']]: string } = {
  model: 'Give it "override_params": { "model": … }, because providers do not know the names of virtual models.',
  provider: 'Name its provider: a request that names one in a header names no virtual model.',
};

/** Reports targets that set no model in configs that a virtual model stands for. The errors name the target. */
export const reportOpenLeaves = (
  name: string,
  lowered: () => Pick<RoutingPlan, 'root' | 'targets'>,
  { trust, saved: { models }, reporter }: Pick<CompileContext, 'trust' | 'saved' | 'reporter'>,
): void => {
  if (models === undefined || trust === 'caller') return;
  const [first] = virtualNames(readVirtualTargets(models), trust === 'saved' ? name : planFileName(name));
  if (first === undefined) return;
  for (const { leaf, leaves } of leavesWithoutModel(lowered()))
    reporter.report(
      'model-left-open',
      { pointer: leaf.path, part: 'value' },
      { name: first, what: leaves, suggestion: suggestions[leaves] },
    );
};
