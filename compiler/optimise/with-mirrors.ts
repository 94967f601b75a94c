import { isNonEmpty } from '../../schema/json/json.ts';
import type { Mirror, PlanNode } from '../../schema/plan/plan.ts';

/** The node with further mirrors behind its own, as of a group around it that is all about this node. */
export const withMirrors = (node: PlanNode, outer: readonly Mirror[]): PlanNode => {
  const mirrors = [...(node.mirrors ?? []), ...outer];
  return outer.length > 0 && isNonEmpty(mirrors) ? { ...node, mirrors } : node;
};
