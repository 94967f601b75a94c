import type { Hedge } from '../../../schema/config/hedge.ts';
import { listNodesOf } from '../../../schema/plan/list-branches.ts';
import type { PlanNode } from '../../../schema/plan/plan.ts';

/** Returns the hedges of a node and of those below it, in the order of the plan. */
export const listHedges = (node: PlanNode): readonly Hedge[] =>
  listNodesOf('fallback', node).flatMap(({ hedge }) => hedge ?? []);
