import { mapBranches } from '../../schema/plan/map-branches.ts';
import type { PlanNode } from '../../schema/plan/plan.ts';

/** Returns the same tree without mirrors. The trail of a recorded request has its copies. */
export const withoutMirrors = ({ mirrors: _mirrors, ...node }: PlanNode): PlanNode => mapBranches(node, withoutMirrors);
