import type { PlanNode } from '../../../schema/plan/plan.ts';
import type { PlanContext } from '../stages/plan-context.ts';
import type { LinkedNode } from './linked-node.ts';

/** Links a node's branch. Passed as an argument so that the node files do not import each other. */
export type LinkBranch = (node: PlanNode, context: PlanContext) => LinkedNode;
