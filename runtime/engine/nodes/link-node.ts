import { listLeaves } from '../../../schema/plan/list-leaves.ts';
import type { PlanNode } from '../../../schema/plan/plan.ts';
import type { PlanContext } from '../stages/plan-context.ts';
import { linkConditional } from './conditional.ts';
import { linkFallback } from './fallback.ts';
import { linkLeaf } from './leaf.ts';
import type { LinkedNode } from './linked-node.ts';
import { linkLoadbalance } from './loadbalance.ts';

const linkBare = (node: PlanNode, context: PlanContext): LinkedNode => {
  switch (node.kind) {
    case 'leaf':
      return linkLeaf(node, context);
    case 'loadbalance':
      return linkLoadbalance(node, context, linkNode);
    case 'fallback':
      return linkFallback(node, context, linkNode);
    case 'conditional':
      return linkConditional(node, context, linkNode);
  }
};

/** Builds the closures of a node and everything below it, once. */
export const linkNode = (node: PlanNode, context: PlanContext): LinkedNode => {
  const linked = linkBare(node, context);
  const { mirrors } = node;
  if (mirrors === undefined) return linked;
  const { linkMirrors } = context.stageCode.mirrors();
  const leaves = new Set(listLeaves(node).map(({ path }) => path));
  const execute = linkMirrors({ mirrors, execute: (run) => linked.execute(run), leaves, linkLeaf }, context);
  return { ...linked, execute };
};
