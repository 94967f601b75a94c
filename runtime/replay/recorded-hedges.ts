import { mapBranches } from '../../schema/plan/map-branches.ts';
import type { FallbackNode, PlanNode } from '../../schema/plan/plan.ts';
import type { TrailEvent } from '../../schema/trail/trail.ts';

/** Each visit earns a whole call. */
const always = 100;
/** One visit earns nothing that is enough. */
const never = 1;

/** A fallback that asks its second branch as it did: beside the first, or not for its budget, or not at all. */
const recordedHedge = ({ hedge, ...node }: FallbackNode, trail: readonly TrailEvent[] | undefined): FallbackNode => {
  if (hedge === undefined) return node;
  const isOfNode = (event: TrailEvent): boolean => 'path' in event && event.path === node.path;
  if (trail === undefined || trail.some((event) => event.kind === 'hedged' && isOfNode(event)))
    return { ...node, hedge: { ...hedge, budgetPercent: always } };
  return trail.some((event) => event.kind === 'hedgeEnded' && isOfNode(event))
    ? { ...node, hedge: { ...hedge, budgetPercent: never } }
    : node;
};

/**
 * A plan whose fallbacks ask two branches where they did when a request was recorded. Without a recording, their budgets are never
 * spent.
 */
export const recordedHedges = (node: PlanNode, trail: readonly TrailEvent[] | undefined): PlanNode =>
  mapBranches(node.kind === 'fallback' ? recordedHedge(node, trail) : node, (branch) => recordedHedges(branch, trail));
