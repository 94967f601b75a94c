import type { FallbackNode, LoadbalanceNode } from '../../../schema/plan/plan.ts';
import { formatDuration } from './words.ts';

/** How a load balance chooses, where it is not by weight alone. */
export const describeBalance = ({ balance, sticky }: LoadbalanceNode): string => {
  const by = balance === undefined ? '' : ` by ${balance}`;
  return sticky === undefined ? by : `${by}, sticky by ${sticky.by} for ${formatDuration(sticky.ttlS * 1000)}`;
};

/** Says whether streams go on at the next branch. */
export const describeContinue = ({ continues }: FallbackNode): string =>
  continues === true ? ', whose streams go on at the next' : '';

/** Says what a group requires of the branches that it asks. */
export const describeRequire = ({ require }: FallbackNode | LoadbalanceNode): string =>
  require === undefined ? '' : ', asks only what can serve the request';

/** When the second branch of a fallback is asked beside the first, where it ever is. */
export const describeHedge = ({ hedge }: FallbackNode): string =>
  hedge === undefined
    ? ''
    : `, hedged after ${formatDuration(hedge.afterMs)}, at most ${hedge.budgetPercent} % of calls`;
