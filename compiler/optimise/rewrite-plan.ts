import { mapBranches } from '../../schema/plan/map-branches.ts';
import type { PlanNode } from '../../schema/plan/plan.ts';
import type { Rewrite } from './rewrite.ts';
import { rewrites } from './rewrites.ts';

const firstChange = (node: PlanNode, laws: readonly Rewrite[]): PlanNode => {
  for (const { rewrite } of laws) {
    const after = rewrite(node);
    if (after !== node) return after;
  }
  return node;
};

/** Whether a group leaves out branches by what the leaves below them are able to do. */
const judgesAbility = (node: PlanNode): boolean => 'require' in node;

/**
 * The plan with every law applied wherever it applies, branches first, until none does. Paths are kept, so that answers
 * still name the source's place. A plan that is in this form already is returned as the same object.
 */
export const rewriteWith = (root: PlanNode, laws: readonly Rewrite[]): PlanNode => {
  const below = judgesAbility(root) ? laws.filter(({ dropsLeaves }) => dropsLeaves !== true) : laws;
  const node = mapBranches(root, (branch) => rewriteWith(branch, below));
  const after = firstChange(node, laws);
  return after === node ? node : rewriteWith(after, laws);
};

/** All rewrites, to their fixed point. */
export const rewritePlan = (root: PlanNode): PlanNode => rewriteWith(root, rewrites);
