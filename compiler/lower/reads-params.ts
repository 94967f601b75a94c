import type { Condition } from '../../schema/condition.ts';
import type { PlanNode } from '../../schema/plan.ts';
import { branchesOf } from '../meaning/branches-of.ts';

const looksAtParams = (condition: Condition): boolean =>
  condition.kind === 'test' ? condition.path[0] === 'params' : condition.of.some(looksAtParams);

/** Whether a condition under the node looks at the body. */
export const readsParams = (node: PlanNode): boolean => {
  if (node.kind === 'leaf') return false;
  const own = node.kind === 'conditional' && node.cases.some(({ when }) => looksAtParams(when));
  return own || branchesOf(node).some(readsParams);
};
