import type { Condition } from './condition.ts';
import { listBranches } from './list-branches.ts';
import type { PlanNode } from './plan.ts';

const virtualModels = 'virtual-models';

/** The plan features that conditions have: a gateway that does not know the fact would take it for a missing one. */
export const conditionFeatureNames: ReadonlySet<string> = new Set([virtualModels]);

const readsPlan = (condition: Condition): boolean =>
  condition.kind === 'test' ? condition.path[0] === 'plan' : condition.of.some(readsPlan);

const hasPlanCondition = (node: PlanNode): boolean =>
  node.kind !== 'leaf' &&
  ((node.kind === 'conditional' && node.cases.some(({ when }) => readsPlan(when))) ||
    listBranches(node).some(hasPlanCondition));

/** The plan features that the conditions of a tree require. */
export const conditionFeatures = (root: PlanNode): readonly string[] => (hasPlanCondition(root) ? [virtualModels] : []);
