import { conditionMatcher } from '../../schema/plan/condition-matcher.ts';
import type { ConditionalNode } from '../../schema/plan/plan.ts';
import type { RequestRun } from './run.ts';

/** Returns the branch that a conditional takes for these facts. */
export const chosenBranch = ({ cases, otherwise }: ConditionalNode, { facts }: RequestRun): number =>
  cases.find(({ when }) => conditionMatcher(when)(facts))?.branch ?? otherwise;
