import type { Choose } from '../../compiler/meaning/enumerate.ts';
import { mergeOutcomes } from '../../compiler/meaning/merge-outcomes.ts';
import type {
  CircuitAfter,
  Meaning,
  OutcomeMirror,
  OutcomeWait,
  RequestOutcome,
  ScenarioOutcome,
} from '../../compiler/meaning/outcome.ts';
import { type Scenario, type ScenarioRequest, scenarioEpochMs } from '../../compiler/meaning/scenario.ts';
import type { Cancellation, GatewayResponse, Sink } from '../../plugins/sdk/http/http.ts';
import { definePlugin, type Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import { wait } from '../../plugins/sdk/time/wait.ts';
import { createVirtualClock, type VirtualClock } from '../../plugins/testkit/exchange/virtual-clock.ts';
import { RequestWaits } from '../../runtime/engine/call/request-waits.ts';
import { createRuntime } from '../../runtime/engine/gateway.ts';
import type { LinkedPlan } from '../../runtime/engine/link.ts';
import { wholeStages } from '../../runtime/engine/stages/whole-stages.ts';
import { toFingerprint, toStateKey } from '../../runtime/engine/target/state-key.ts';
import { createMemoryBreakers, type MemoryBreakers } from '../../runtime/memory/memory-breakers.ts';
import { findStage } from '../../schema/plan/find-stage.ts';
import { listLeaves, listMirrors } from '../../schema/plan/list-leaves.ts';
import type { PlanNode, RoutingPlan } from '../../schema/plan/plan.ts';
import type { TrailEvent } from '../../schema/trail/trail.ts';
import { createCountingCancellation } from './counting-cancellation.ts';
import { enumerateRuns } from './enumerate-runs.ts';
import { ForkingChance } from './forking-chance.ts';
import { sampleExchange, toTenant } from './sample-exchange.ts';
import { scriptedPlugin, toldBackground } from './scripted-plugin.ts';
import { createScriptedUpstreams, type ScriptedUpstreams } from './scripted-upstreams.ts';

/** Nobody ends the time between two requests. */
const staying: Cancellation = { cancelled: false, onCancel: () => () => {} };
const nowhere: Sink = { write: () => true, onDrain: () => {}, end: () => {}, fail: () => {} };

const delivered = ({ body }: GatewayResponse): Promise<void> => {
  if (body.kind === 'bytes') return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  body.onEnd(() => resolve());
  body.start(nowhere);
  return promise;
};

interface Bench {
  readonly clock: VirtualClock;
  readonly chance: ForkingChance;
  readonly upstreams: ScriptedUpstreams;
  readonly breakers: MemoryBreakers;
  readonly linked: LinkedPlan;
  readonly mirrorTargets: ReadonlySet<string>;
}

const toWaits = (trail: readonly TrailEvent[], { intervals }: ForkingChance): readonly OutcomeWait[] =>
  trail.flatMap((event) => {
    if (event.kind !== 'retried') return [];
    const { path, retry, waitMs: ms } = event;
    return [{ ...(intervals.get(`${path} ${retry}`) ?? { from: ms, to: ms }), ms }];
  });

/** The copies of each request that have ended, by its trace. */
class Copies {
  readonly #byTrace = new Map<string, OutcomeMirror[]>();
  #count = 0;
  #wake: () => void = () => {};

  add(trace: string, copy: OutcomeMirror): void {
    this.#byTrace.set(trace, [...(this.#byTrace.get(trace) ?? []), copy]);
    this.#count += 1;
    this.#wake();
  }

  get(trace: string): readonly OutcomeMirror[] | undefined {
    return this.#byTrace.get(trace);
  }

  async whenEnded(expected: number): Promise<void> {
    while (this.#count < expected) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
  }
}

const noteCopies = (copies: Copies): Plugin =>
  definePlugin({
    name: 'copies',
    apply: (hooks) =>
      hooks.mirrored.tap('copies', ({ path, target, mirror }, { mirrorOf }) => {
        if (mirror === undefined || mirrorOf === undefined) throw new Error(`The copy for ${target} was not sent.`);
        const { status, origin } = mirror;
        copies.add(mirrorOf.traceId, { path, target, status, origin });
      }),
  });

/** The calls as they were sent; the trail knows from which leaf. */
const toCalls = (trail: readonly TrailEvent[], sent: ScriptedUpstreams['sent']): RequestOutcome['calls'] => {
  const attempts = trail.filter((event) => event.kind === 'attempted');
  return sent.map(({ target, attempt }, at) => {
    const event = attempts[at];
    if (event?.target !== target || event.attempt !== attempt || attempts.length !== sent.length)
      throw new Error(`The trail does not tell of the call ${at + 1} to ${target}.`);
    return { target, path: event.path, attempt };
  });
};

const runRequest = async (
  { traceId, ...request }: ScenarioRequest & { readonly traceId: string },
  { clock, chance, upstreams, linked, mirrorTargets }: Bench,
): Promise<RequestOutcome & { readonly traceId: string }> => {
  // Timer by timer, since copies of the requests before are under way.
  if (request.afterMs > 0) await clock.settle(wait(request.afterMs, clock, staying));
  const began = clock.monotonic();
  const sentBefore = upstreams.sent.length;
  const sentByItself = (): ScriptedUpstreams['sent'] =>
    upstreams.sent.slice(sentBefore).filter(({ target }) => !mirrorTargets.has(target));
  const client = createCountingCancellation();
  const body = { ...request.facts.params, messages: [{ role: 'user', content: 'hi' }] };
  const { facts, deadlineMs } = request;
  const overrides = deadlineMs === undefined ? {} : { deadlineMs };
  const waits = new RequestWaits(clock);
  const labels = { prompt: undefined, waits };
  const exchange = sampleExchange(body, { traceId, facts, overrides, cancellation: client.cancellation, labels });
  const response = await clock.settle(linked.execute(exchange));
  const tookMs = clock.monotonic() - began;
  // Virtual time passes only while upstreams, and the times of retries, are waited for.
  if (Math.abs(tookMs - waits.ms) > 1e-6)
    throw new Error(`Of ${tookMs} ms only ${waits.ms} are measured as waits for others.`);
  await clock.settle(delivered(response));
  if (client.listening > 0) throw new Error(`${client.listening} listeners still wait for the client to leave.`);
  if (response.leaf === undefined) throw new Error('An answer does not say which leaf it comes from.');
  const { path, retries } = response.leaf;
  const trail = [...exchange.trail];
  return {
    traceId,
    calls: toCalls(trail, sentByItself()),
    waits: toWaits(trail, chance),
    answer: { status: response.status, origin: response.origin, path, retries },
    tookMs,
    trail,
  };
};

const circuitsAfter = (
  root: PlanNode,
  breakers: MemoryBreakers,
  trail: readonly TrailEvent[],
): readonly CircuitAfter[] =>
  listLeaves(root)
    .filter((leaf) => findStage(leaf, 'breaker') !== undefined)
    .filter(({ path }) => trail.some((event) => 'path' in event && event.path === path))
    .map(({ path, hash }) => ({
      path,
      circuit: breakers.circuit(toStateKey(toTenant('tenant'), hash, toFingerprint(null))),
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));

const runScenario = async (plan: RoutingPlan, scenario: Scenario, choose: Choose): Promise<ScenarioOutcome> => {
  const clock = createVirtualClock(scenarioEpochMs);
  const chance = new ForkingChance(choose);
  const upstreams = createScriptedUpstreams(scenario.upstream, clock);
  const breakers = createMemoryBreakers({ clock, capacity: 100 });
  const copies = new Copies();
  const plugins = [scriptedPlugin(scenario.checks), noteCopies(copies)];
  const gateway = createRuntime({ stageCode: wholeStages, plugins, ports: { clock, chance, breakers, upstreams } });
  const linked = gateway.link({ plan: { ...plan, root: toldBackground(plan.root) }, secrets: () => undefined });
  const mirrorTargets = new Set(listMirrors(plan.root).flatMap(({ leaf }) => plan.targets[leaf.target]?.id ?? []));
  const bench = { clock, chance, upstreams, breakers, linked, mirrorTargets };
  const asked: Awaited<ReturnType<typeof runRequest>>[] = [];
  for (const [index, request] of scenario.requests.entries()) {
    chance.intervals.clear();
    asked.push(await runRequest({ ...request, traceId: `trace ${index}` }, bench));
  }
  const expected = asked.flatMap(({ trail }) => trail.filter(({ kind }) => kind === 'mirrored')).length;
  await clock.settle(copies.whenEnded(expected));
  await gateway.close();
  const requests = asked.map(({ traceId, ...request }): RequestOutcome => {
    const ended = copies.get(traceId);
    if (ended === undefined) return request;
    const sent = request.trail.flatMap((event) => (event.kind === 'mirrored' ? [event.target] : []));
    const mirrors = ended.toSorted((one, other) => sent.indexOf(one.target) - sent.indexOf(other.target));
    return { ...request, mirrors };
  });
  if (clock.pending > 0) throw new Error(`${clock.pending} timers are left.`);
  if (upstreams.strayBodies > 0) throw new Error(`${upstreams.strayBodies} bodies were not taken exactly once.`);
  const trail = requests.flatMap((request) => request.trail);
  return { requests, circuits: circuitsAfter(plan.root, breakers, trail) };
};

/**
 * Every outcome of running the linked plan, with its exact probability: chance forks, time is discrete events, and the
 * upstreams do what the scenario says. Throws where a timer is left, or a body was not taken exactly once.
 */
export const runPlan = async (plan: RoutingPlan, scenario: Scenario): Promise<Meaning> => {
  const runs = await enumerateRuns((choose) => runScenario(plan, scenario, choose));
  return mergeOutcomes(runs.map(({ probability, result }) => ({ probability, outcome: result })));
};
