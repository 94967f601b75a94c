import type { FallbackNode, LoadbalanceNode } from '../../../schema/plan/plan.ts';
import { formatDuration } from './words.ts';

/** Describes how a load balance chooses, if it is not by weight only. */
export const describeBalance = ({ balance, sticky }: LoadbalanceNode): string => {
  const by = balance === undefined ? '' : ` by ${balance}`;
  return sticky === undefined ? by : `${by}, sticky by ${sticky.by} for ${formatDuration(sticky.ttlS * 1000)}`;
};

/** Describes whether streams continue at the next branch. */
export const describeContinue = ({ continues }: FallbackNode): string =>
  continues === true ? ', broken streams continue at the next target' : '';

/** Describes what a group requires of the branches that it calls. */
export const describeRequire = ({ require }: FallbackNode | LoadbalanceNode): string =>
  require === undefined ? '' : ', skips targets that cannot serve the request';

/** Describes when the second branch of a fallback is called while the first is running, if it ever is. */
export const describeHedge = ({ hedge }: FallbackNode): string =>
  hedge === undefined
    ? ''
    : `, hedged after ${formatDuration(hedge.afterMs)}, at most ${hedge.budgetPercent} % of calls`;
