/**
 * The meaning of a plan: every observable outcome of a scenario, with its exact probability. Linking a plan and running
 * it must give exactly this; the order below is therefore the order of the runtime.
 *
 * Availability. A leaf without a breaker is available. A leaf with one is read once per request, at the first look: it is
 * available where each of the circuits is that the request meets. A
 * group reads all its branches when it is entered, and also when it is asked itself, without stopping at the first
 * that is available: so all that lies below a group is read at one moment (but for the branches that a conditional
 * does not choose, and those of weight 0, which are never available). A group is available when any branch is; a
 * conditional when the branch is that it would choose. A load balance and a fallback leave unavailable branches out,
 * unless that leaves none; a conditional leaves nothing out. A leaf that is not in a group is not read at all.
 *
 * Ability. Whether a target is able to serve a request is known before it is sent, and constant. A group that requires it asks
 * only branches below which a leaf that the run can come to is able; it is available when one of these is. Where there is none, it
 * answers 422 itself (origin `gateway`, `path` its own), and is available. Availability is read of able branches alone. Event
 * `unable` before `skipped`, where branches were left out.
 *
 * Probes. Where a leaf has a probe, its circuit, or those of its target and credential, are asked for while they are not closed:
 * first after the probe's time from when it opened, or from when a request met it, and then each time anew, whoever's
 * leaf began. A probe takes no time; an answer that says that the target works closes the circuit, without an event of any
 * request. While it is probed, such a circuit is not available, however long it has been open.
 *
 * A leaf. What its stages do, outside in, is described above `runLeaf`; what each attempt does, above `runAttempts`.
 *
 * Groups. `skipped` (only where branches were left out; those of weight 0 are not named), then `chose` for a load
 * balance; `chose` for a conditional; `fellBack` after all events of the branch before and ahead of the next one's.
 *
 * Streams that go on. A stream that breaks after its first content, at a fallback that continues and whose triggers hold 502,
 * goes on at the next branch that the fallback keeps: a leaf that holds streams until they are judged answers that it cannot
 * (502 of the gateway, without a call), and the next one is asked. An answer that is no stream, or that is a trigger, ends the
 * stream with the first's error. Events: `streamFailed` and what else the first's end has, those of the next branch, and
 * `continued`, or `notContinued` with the reason. A stream that breaks again goes on again, each branch at most once; one that the
 * innermost fallback does not go on with may go on at an outer one. The answer stays that of the first branch.
 *
 * Hedges. What two branches of a fallback do at the same time, and which of them is cut, is described above `runHedged`. Of a
 * request at most two branches run at the same time.
 *
 * Deadline. The nearer of the plan's and the request's, counted from when the request began. An attempt that has no answer
 * by then is cut (408, origin `timeout`), after which nothing is retried and no fallback goes on; an attempt whose own
 * time-out passes at that moment has timed out. A stream is cut too, before or after its first content. Event
 * `deadlinePassed` after all others.
 *
 * Chance. A load balance draws one branch by weight among those it keeps; where a chooser chooses, or keys are sticky, each
 * of these is an outcome, and what runs gives one of them (a law of inclusion, not of odds). A wait drawn from an interval is one of its
 * two ends, each with probability 1/2. An outcome's probability is the product of its draws.
 */

import { listLeaves } from '../../schema/plan/list-leaves.ts';
import type { PlanNode, RoutingPlan } from '../../schema/plan/plan.ts';
import { enumerate } from './enumerate.ts';
import { mergeOutcomes } from './merge-outcomes.ts';
import type { CircuitAfter, Meaning, RequestOutcome, ScenarioOutcome } from './outcome.ts';
import { passTime } from './probing.ts';
import { isPast, type RequestRun, toCircuit, type World } from './run.ts';
import { runNode } from './run-node.ts';
import type { Scenario, ScenarioRequest } from './scenario.ts';
import { runSteps } from './steps.ts';

/** The parts of a plan that its meaning depends on. */
type MeantPlan = Pick<RoutingPlan, 'root' | 'targets' | 'deadlineMs'>;

const never = Number.POSITIVE_INFINITY;

const runRequest = (
  { root, deadlineMs: planned = never }: MeantPlan,
  world: World,
  { afterMs, facts, deadlineMs: brought = never, unable = [] }: ScenarioRequest,
): RequestOutcome => {
  passTime(world, world.now + afterMs);
  const began = world.now;
  const deadlineMs = Math.min(planned, brought);
  const deadlineAt = began + deadlineMs;
  const run: RequestRun = {
    ...{ world, facts, deadlineAt, unable: new Set(unable), calls: [], waits: [], trail: [], availability: new Map() },
    ...{ isCut: false, hedging: { isRunning: false, probes: 0 } },
  };
  const response = runSteps(runNode(root, run), world);
  const tookMs = world.now - began;
  response.deliver();
  const { status, origin, path, retries } = response;
  const { calls, waits, trail } = run;
  if (isPast(run)) trail.push({ kind: 'deadlinePassed', ms: deadlineMs });
  return { calls, waits, answer: { status, origin, path, retries }, tookMs, trail };
};

const circuitsAfter = (root: PlanNode, world: World, requests: readonly RequestOutcome[]): readonly CircuitAfter[] => {
  const named = new Set(requests.flatMap(({ trail }) => trail.flatMap((event) => ('path' in event ? event.path : []))));
  return listLeaves(root)
    .filter(({ path }) => named.has(path))
    .flatMap((leaf) =>
      [...(world.met.get(leaf.hash)?.values() ?? [])].map((met) => ({
        path: leaf.path,
        ...(met.of === undefined ? {} : { of: met.of }),
        circuit: toCircuit(world, met),
      })),
    )
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
};

/** All that can happen when a plan meets a scenario. */
export const planMeaning = (plan: MeantPlan, scenario: Scenario): Meaning =>
  mergeOutcomes(
    enumerate((choose): ScenarioOutcome => {
      const { root, targets } = plan;
      const world: World = {
        scenario,
        targets,
        choose,
        now: 0,
        circuits: new Map(),
        met: new Map(),
        probing: new Map(),
        coolings: new Map(),
        counts: new Map(),
        budgets: new Map(),
      };
      const requests = scenario.requests.map((request) => runRequest(plan, world, request));
      return { requests, circuits: circuitsAfter(root, world, requests) };
    }).map(({ probability, result }) => ({ probability, outcome: result })),
  );
