import { listLeaves } from '../../schema/plan/list-leaves.ts';
import type { Mirror, PlanNode } from '../../schema/plan/plan.ts';
import { isInputDenial } from '../../schema/trail/is-input-denial.ts';
import type { TrailEvent } from '../../schema/trail/trail.ts';
import type { RequestRun } from './run.ts';
import { toTarget } from './run.ts';
import { deliver } from './run-attempt.ts';
import { runAttempts } from './run-attempts.ts';
import { runSteps } from './steps.ts';

/** The state of a run when it entered a node. */
export interface VisitStart {
  readonly calls: number;
  readonly events: number;
}

export const visitStart = ({ calls, trail }: RequestRun): VisitStart => ({ calls: calls.length, events: trail.length });

/** Whether a copy may be sent: the visit of the node called an upstream, and no input check below it denied the request. */
const mayBeCopied = (node: PlanNode, { calls, trail }: RequestRun, before: VisitStart): boolean => {
  const leaves = new Set(listLeaves(node).map(({ path }) => path));
  const isOwn = (event: TrailEvent): boolean => 'path' in event && leaves.has(event.path);
  return (
    calls.slice(before.calls).some(({ path }) => leaves.has(path)) &&
    !trail.slice(before.events).some((event) => isOwn(event) && isInputDenial(event))
  );
};

/** Makes a call concurrent with the request. It takes no time of the request, and has no deadline. */
const sendCopy = ({ path, leaf }: Mirror, run: RequestRun): void => {
  const { id: target } = toTarget(run.world, leaf);
  run.trail.push({ kind: 'mirrored', path, target });
  const beside: RequestRun = {
    ...run,
    world: { ...run.world, probing: new Map() },
    deadlineAt: Number.POSITIVE_INFINITY,
    ...{ calls: [], waits: [], trail: [], mirrors: [] },
  };
  const { status, origin, stream } = runSteps(runAttempts(leaf, beside), beside.world);
  if (stream === 'whole') deliver(leaf, beside);
  run.mirrors.push({ path, target, status, origin });
};

/** Sends the drawn copies of a visited node; none if the visit called no upstream, or an input check denied the request. */
export const runMirrors = (
  { node, drawn }: { readonly node: PlanNode; readonly drawn: readonly Mirror[] },
  run: RequestRun,
  before: VisitStart,
): void => {
  if (mayBeCopied(node, run, before)) for (const mirror of drawn) sendCopy(mirror, run);
};
