import { mapBranches } from '../../schema/plan/map-branches.ts';
import type { FallbackNode, PlanNode } from '../../schema/plan/plan.ts';
import type { TrailEvent } from '../../schema/trail/trail.ts';

/** Each visit earns a whole call. */
const always = 100;
/** One visit does not earn enough. */
const never = 1;

/** Returns a fallback that calls its second branch as recorded: beside the first, not because of its budget, or not at all. */
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
 * Returns a plan whose fallbacks call two branches if they did when a request was recorded. Without a recording, their budgets
 * are never used up.
 */
export const recordedHedges = (node: PlanNode, trail: readonly TrailEvent[] | undefined): PlanNode =>
  mapBranches(node.kind === 'fallback' ? recordedHedge(node, trail) : node, (branch) => recordedHedges(branch, trail));
