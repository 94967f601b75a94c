import type { Choose } from '../../../compiler/semantics/enumerate.ts';
import { enumerateRuns } from '../../../compiler/semantics/enumerate-runs.ts';
import { mergeOutcomes } from '../../../compiler/semantics/merge-outcomes.ts';
import type {
  CircuitAfter,
  Meaning,
  OutcomeCall,
  OutcomeMirror,
  OutcomeWait,
  RequestOutcome,
  ScenarioOutcome,
} from '../../../compiler/semantics/outcome.ts';
import { type Scenario, type ScenarioRequest, scenarioEpochMs } from '../../../compiler/semantics/scenario.ts';
import type { Cancellation, GatewayResponse, Sink } from '../../../plugins/sdk/http/http.ts';
import { definePlugin, type Plugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { wait } from '../../../plugins/sdk/time/wait.ts';
import { createVirtualClock, type VirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { RequestWaits } from '../../../runtime/engine/call/request-waits.ts';
import { createRuntime } from '../../../runtime/engine/gateway.ts';
import type { LinkedPlan } from '../../../runtime/engine/link.ts';
import { wholeStages } from '../../../runtime/engine/stages/whole-stages.ts';
import { createMemoryBreakers, type MemoryBreakers } from '../../../runtime/in-memory/memory-breakers.ts';
import type { MetCircuit } from '../../../runtime/ports/breakers.ts';
import type { Circuit } from '../../../schema/plan/circuits/circuit.ts';
import { listLeaves, listMirrors } from '../../../schema/plan/list-leaves.ts';
import type { LeafNode, PlanNode, RoutingPlan, Target } from '../../../schema/plan/plan.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';
import { mirrorsInOrder } from '../plans/in-branch-order.ts';
import { createCountingCancellation } from './counting-cancellation.ts';
import { ForkingChance } from './forking-chance.ts';
import { sampleExchange } from './sample-exchange.ts';
import { scriptedAbilities } from './scripted-abilities.ts';
import { markBackground, scriptedPlugin } from './scripted-plugin.ts';
import { createScriptedUpstreams, type FindKey, type ScriptedUpstreams } from './scripted-upstreams.ts';

/** Nobody cancels the time between two requests. */
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
  /** The targets that cannot serve the current request. */
  readonly unable: Set<string>;
  /** The calls of the current request. */
  readonly begun: OutcomeCall[];
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

/** Returns the calls in the order in which they were sent. Each must have an event for its end. */
const toCalls = (
  trail: readonly TrailEvent[],
  begun: RequestOutcome['calls'],
  sent: number,
): RequestOutcome['calls'] => {
  const ended = trail.filter((event) => event.kind === 'attempted');
  const hasEnded = ({ target, path, attempt }: RequestOutcome['calls'][number]): boolean =>
    ended.some((event) => event.target === target && event.path === path && event.attempt === attempt);
  if (begun.length !== sent || ended.length !== sent || !begun.every(hasEnded))
    throw new Error(
      `The trail has ${ended.length} attempts, ${begun.length} were announced, and ${sent} calls were sent.`,
    );
  return begun;
};

/** Lets time pass, including what probes and copies of earlier requests do until then. */
const passTime = async (clock: VirtualClock, ms: number): Promise<void> => {
  if (clock.pending === 0) clock.advance(ms);
  else await clock.settle(wait(ms, clock, staying));
};

const runRequest = async (
  { traceId, ...request }: ScenarioRequest & { readonly traceId: string },
  { clock, chance, upstreams, linked, begun, unable, mirrorTargets }: Bench,
): Promise<RequestOutcome & { readonly traceId: string }> => {
  await passTime(clock, request.afterMs);
  unable.clear();
  for (const target of request.unable ?? []) unable.add(target);
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
  // Virtual time passes only while the request waits for upstreams or retries.
  if (Math.abs(tookMs - waits.ms) > 1e-6)
    throw new Error(`Of ${tookMs} ms only ${waits.ms} are measured as waits for others.`);
  await clock.settle(delivered(response));
  if (client.listening > 0) throw new Error(`${client.listening} listeners still wait for the client to leave.`);
  if (response.leaf === undefined) throw new Error('An answer does not say which leaf it comes from.');
  const { path, retries } = response.leaf;
  const trail = [...exchange.trail];
  return {
    traceId,
    calls: toCalls(trail, begun.splice(0), sentByItself().length),
    waits: toWaits(trail, chance),
    answer: { status: response.status, origin: response.origin, path, retries },
    tookMs,
    trail,
  };
};

/** Breakers that record the circuits used at each leaf. */
interface WatchedBreakers extends MemoryBreakers {
  met(leaf: LeafNode): readonly MetCircuit[];
}

const watchedBreakers = (breakers: MemoryBreakers): WatchedBreakers => {
  const met = new Map<string, Map<string, MetCircuit>>();
  return {
    ...breakers,
    met: ({ hash }) => [...(met.get(hash)?.values() ?? [])],
    admit(circuit, settings) {
      met.set(circuit.leaf, (met.get(circuit.leaf) ?? new Map()).set(circuit.key, circuit));
      return breakers.admit(circuit, settings);
    },
  };
};

/** Returns a circuit as the meaning represents it. */
const withoutAbout = ({ about: _, ...circuit }: Circuit): Circuit => circuit;

const circuitsAfter = (
  root: PlanNode,
  breakers: WatchedBreakers,
  trail: readonly TrailEvent[],
): readonly CircuitAfter[] =>
  listLeaves(root)
    .filter(({ path }) => trail.some((event) => 'path' in event && event.path === path))
    .flatMap((leaf) =>
      breakers.met(leaf).map((circuit) => ({
        path: leaf.path,
        ...(circuit.of === undefined ? {} : { of: circuit.of }),
        circuit: withoutAbout(breakers.circuit(circuit)),
      })),
    )
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));

/** Finds the index of a request's key, by the target to which it is sent. */
const keyIndexes =
  (targets: readonly Target[]): FindKey =>
  (id, line) => {
    const credential = targets.find((target) => target.id === id)?.credential;
    if (credential?.kind !== 'keys') return undefined;
    const key = credential.keys.findIndex(
      ({ apiKey }) => apiKey.kind === 'reference' && line === `Bearer ${apiKey.ref}`,
    );
    if (key === -1) throw new Error(`${id} was called with a key that it does not have.`);
    return key;
  };

const runScenario = async (plan: RoutingPlan, scenario: Scenario, choose: Choose): Promise<ScenarioOutcome> => {
  const clock = createVirtualClock(scenarioEpochMs);
  const chance = new ForkingChance(choose);
  const upstreams = createScriptedUpstreams(scenario.upstream, clock, {
    findKey: keyIndexes(plan.targets),
    ...(scenario.probes === undefined ? {} : { probes: scenario.probes }),
  });
  const breakers = watchedBreakers(createMemoryBreakers({ clock, capacity: 100 }));
  const begun: OutcomeCall[] = [];
  const watching = definePlugin({
    name: 'test/attempts',
    apply: ({ attempting }) => {
      attempting.tap('test/attempts', ({ target, path, attempt }, { mirrorOf }) => {
        if (mirrorOf === undefined) begun.push({ target, path, attempt });
      });
    },
  });
  const copies = new Copies();
  const plugins = [scriptedPlugin(scenario.checks), watching, noteCopies(copies)];
  const unable = new Set<string>();
  const abilities = scriptedAbilities(unable);
  const ports = { clock, chance, breakers, upstreams, abilities };
  const gateway = createRuntime({ stageCode: wholeStages, plugins, ports });
  const linked = gateway.link({ plan: { ...plan, root: markBackground(plan.root) }, secrets: (ref) => ref });
  const mirrorTargets = new Set(listMirrors(plan.root).flatMap(({ leaf }) => plan.targets[leaf.target]?.id ?? []));
  const bench = { clock, chance, upstreams, breakers, linked, begun, unable, mirrorTargets };
  const served: Awaited<ReturnType<typeof runRequest>>[] = [];
  for (const [index, request] of scenario.requests.entries()) {
    chance.intervals.clear();
    served.push(await runRequest({ ...request, traceId: `trace ${index}` }, bench));
  }
  const circuits = circuitsAfter(
    plan.root,
    breakers,
    served.flatMap((request) => request.trail),
  );
  const expected = served.flatMap(({ trail }) => trail.filter(({ kind }) => kind === 'mirrored')).length;
  await clock.settle(copies.whenEnded(expected));
  await gateway.close();
  const requests = served.map(({ traceId, ...request }): RequestOutcome => {
    const ended = copies.get(traceId);
    if (ended === undefined) return request;
    return { ...request, mirrors: mirrorsInOrder(ended, request.trail) };
  });
  if (clock.pending > 0) throw new Error(`${clock.pending} timers are left.`);
  if (upstreams.strayBodies > 0) throw new Error(`${upstreams.strayBodies} bodies were not taken exactly once.`);
  return { requests, circuits };
};

/**
 * Returns every outcome of running the linked plan, with its exact probability: chance forks, time is discrete events, and the
 * upstreams follow the scenario. Throws if a timer remains, or if a body was not consumed exactly once.
 */
export const runPlan = async (plan: RoutingPlan, scenario: Scenario): Promise<Meaning> => {
  const runs = await enumerateRuns((choose) => runScenario(plan, scenario, choose));
  return mergeOutcomes(runs.map(({ probability, result }) => ({ probability, outcome: result })));
};
