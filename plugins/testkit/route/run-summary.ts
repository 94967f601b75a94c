import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';

interface Answered {
  readonly status: number;
  readonly trail: readonly TrailEvent[];
}

/** Returns a run in one line: each attempt with its status, then the status of the answer if it differs. */
export const runSummary = ({ name }: RoutingPlan, { status, trail }: Answered): string => {
  const attempts = trail.filter((event) => event.kind === 'attempted');
  const calls = attempts.map((event) => {
    const cause = event.origin === 'upstream' ? '' : ` (${event.origin})`;
    return `${event.target} ${event.status}${cause}`;
  });
  const summary = calls.length === 0 ? 'no target was called' : calls.join(' -> ');
  return `${name}: ${summary}${attempts.at(-1)?.status === status ? '' : `, answered ${status}`}`;
};
