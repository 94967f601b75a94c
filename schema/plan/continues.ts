import { type Outcome, type StatusRule, statusMatcher } from '../http/status.ts';
import type { FallbackNode } from './plan.ts';

/** The plan feature of a fallback whose streams go on elsewhere. */
export const continueFeature = 'continue';

/** The plan features of a fallback that does more than try its branches in order. */
export const fallbackFeatures = ({ continues }: FallbackNode): readonly string[] =>
  continues === true ? [continueFeature] : [];

/** How a stream can break that may go on elsewhere: its provider cut it, or sent nothing for too long. */
const breakOutcomes: readonly Outcome[] = [
  { status: 502, origin: 'network' },
  { status: 408, origin: 'timeout' },
];

/** Whether a fallback with these triggers goes on for any stream that breaks. */
export const continuesOn = (on: StatusRule): boolean => breakOutcomes.some(statusMatcher(on));
