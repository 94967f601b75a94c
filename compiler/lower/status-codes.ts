import { type Outcome, type StatusRule, statusMatcher } from '../../schema/http/status.ts';

/** Whether an answer can have the status. */
export const isPossibleStatus = (status: number): boolean => Number.isInteger(status) && status >= 200 && status <= 599;

/** Returns a list of statuses in the form of plans: sorted, without duplicates, and without those that no answer has. */
export const statusCodes = (codes: readonly number[]): readonly number[] =>
  [...new Set(codes)].filter(isPossibleStatus).sort((a, b) => a - b);

/** The ways in which a stream can break and continue elsewhere: its provider cut it, or sent nothing for too long. */
const breakOutcomes: readonly Outcome[] = [
  { status: 502, origin: 'network' },
  { status: 408, origin: 'timeout' },
];

/** Whether a fallback with these triggers continues for any stream that breaks. */
export const continuesOn = (on: StatusRule): boolean => breakOutcomes.some(statusMatcher(on));
