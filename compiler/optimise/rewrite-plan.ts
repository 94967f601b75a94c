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

/** Whether a group skips branches depending on whether the leaves below them are able. */
const judgesAbility = (node: PlanNode): boolean => 'require' in node;

/**
 * Applies every law wherever it matches, branches first, until none matches. Paths are kept, so that answers still name the place
 * in the source. A plan that is already in this form is returned as the same object.
 */
export const rewriteWith = (root: PlanNode, laws: readonly Rewrite[]): PlanNode => {
  const below = judgesAbility(root) ? laws.filter(({ dropsLeaves }) => dropsLeaves !== true) : laws;
  const node = mapBranches(root, (branch) => rewriteWith(branch, below));
  const after = firstChange(node, laws);
  return after === node ? node : rewriteWith(after, laws);
};

/** Applies all rewrites until nothing changes. */
export const rewritePlan = (root: PlanNode): PlanNode => rewriteWith(root, rewrites);
