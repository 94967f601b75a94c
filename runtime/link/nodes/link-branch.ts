import type { PlanNode } from '../../../schema/plan.ts';
import type { LinkContext } from '../context.ts';
import type { LinkedNode } from '../linked-node.ts';

/** Links a node's branch; handed down, so that the files of the nodes need not know each other. */
export type LinkBranch = (node: PlanNode, context: LinkContext) => LinkedNode;
