import { mapBranches } from '../../schema/plan/map-branches.ts';
import type { PlanNode } from '../../schema/plan/plan.ts';

/** The same tree without mirrors: which copies a recorded request had is in its trail. */
export const withoutMirrors = ({ mirrors: _mirrors, ...node }: PlanNode): PlanNode => mapBranches(node, withoutMirrors);
