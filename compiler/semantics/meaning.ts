/**
 * The meaning of a plan: every observable outcome of a scenario, with its exact probability. Linking and running a plan must give
 * exactly this, so the order below is the order of the runtime.
 *
 * Availability. A leaf without a breaker is available. A leaf with a breaker is read once per request, when it is first looked
 * at: it is available if each circuit that the request meets there is available. A group reads all its branches when it is
 * entered, and also when its own availability is read, without stopping at the first available branch. So everything below a
 * group is read at one moment, except the branches that a conditional does not choose, and branches of weight 0, which are never
 * available. A group is available if any branch is; a conditional is available if the branch that it would choose is. A load
 * balance and a fallback skip unavailable branches, unless no branch would remain; a conditional skips nothing. A leaf that is
 * not in a group is not read at all.
 *
 * Ability. Whether a target can serve a request is known before it is sent, and does not change. A group that requires ability
 * calls only branches below which a leaf that the run can reach is able; the group is available if one of these is. If there is
 * no such branch, the group answers 422 itself (origin `gateway`, `path` its own), and counts as available. Availability is read
 * only of able branches. Event `unable` before `skipped`, if branches were skipped.
 *
 * Probes. If a leaf has a probe, its circuit, or those of its target and credential, are probed while they are not closed: first
 * after the probe's interval since the circuit opened or a request met it, and then after each further interval, whichever leaf
 * started the probes. A probe takes no time. An answer that shows that the target works closes the circuit, without an event of
 * any request. While it is probed, such a circuit is not available, however long it has been open.
 *
 * A leaf. `runLeaf` documents what its stages do, from the outside in, and `runAttempts` what each attempt does.
 *
 * Groups. `skipped` (only if branches were skipped; those of weight 0 are not named), then `chose` for a load balance; `chose`
 * for a conditional; `fellBack` after all events of the previous branch and before those of the next one.
 *
 * Streams that continue. If a stream breaks after its first content, at a fallback that continues and whose triggers include 502,
 * it continues at the next branch that the fallback keeps. A leaf that holds streams until they are judged answers that it cannot
 * continue (502 of the gateway, without a call), and the branch after it is called. An answer that is not a stream, or that is a
 * trigger, ends the stream with the error of the first branch. Events: `streamFailed` and the other events of the first branch's
 * end, those of the next branch, and `continued`, or `notContinued` with the reason. A stream that breaks again continues again,
 * at each branch at most once. If the innermost fallback does not continue it, an outer one may. The answer stays that of the
 * first branch.
 *
 * Hedges. `runHedged` documents what two branches of a fallback do at the same time, and which of them is cut. At most two
 * branches of a request run at the same time.
 *
 * Mirrors. When a node is entered, each of its mirrors draws whether the request is copied. It is not copied if nothing was sent
 * below the node, for example because a cache answers, or if an input check below it denied the request. Event `mirrored` after
 * all events of the node. The copy is one attempt with its own time-out, concurrent with the request: it takes no time of the
 * request, does not affect its deadline, circuits, retries and events, and is listed separately from its calls.
 *
 * Deadline. The earlier of the plan's and the request's deadline, counted from when the request began. An attempt that has no
 * answer by then is cut (408, origin `timeout`); after that nothing is retried and no fallback continues. If the attempt's own
 * time-out expires at that moment, the attempt has timed out. A stream is cut too, before or after its first content. Event
 * `deadlinePassed` after all others.
 *
 * Chance. A load balance draws one branch by weight among those it keeps. If a chooser chooses, or keys are sticky, each of these
 * branches is an outcome, and a running plan has one of them (a law of inclusion, not of odds). A wait drawn from an interval is
 * one of its two ends, each with probability 1/2. An outcome's probability is the product of its draws.
 */

import { listLeaves } from '../../schema/plan/list-leaves.ts';
import type { PlanNode, RoutingPlan } from '../../schema/plan/plan.ts';
import { enumerate } from './enumerate.ts';
import { mergeOutcomes } from './merge-outcomes.ts';
import type { CircuitAfter, Meaning, RequestOutcome, ScenarioOutcome } from './outcome.ts';
import { passTime } from './probing.ts';
import { isDeadlinePassed, type RequestRun, toCircuit, type World } from './run.ts';
import { runNode } from './run-node.ts';
import type { Scenario, ScenarioRequest } from './scenario.ts';
import { runSteps } from './steps.ts';

/** The parts of a plan that determine its meaning. */
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
    ...{ mirrors: [], isCut: false, hedging: { isRunning: false, probes: 0 } },
  };
  const response = runSteps(runNode(root, run), world);
  const tookMs = world.now - began;
  response.deliver();
  const { status, origin, path, retries } = response;
  const { calls, waits, trail, mirrors } = run;
  if (isDeadlinePassed(run)) trail.push({ kind: 'deadlinePassed', ms: deadlineMs });
  const outcome = { calls, waits, answer: { status, origin, path, retries }, tookMs, trail };
  return mirrors.length === 0 ? outcome : { ...outcome, mirrors };
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

/** Returns everything that can happen when a plan meets a scenario. */
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
