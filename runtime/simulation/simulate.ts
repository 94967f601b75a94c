import { AsyncLocalStorage } from 'node:async_hooks';
import type { TextReading } from '../../plugins/sdk/dialect/text-span.ts';
import type { Upstream } from '../../plugins/sdk/http/http.ts';
import { buildCatalogue } from '../../plugins/sdk/plugin/catalogue.ts';
import { loadWholePlugins } from '../../plugins/sdk/plugin/load-whole-plugins.ts';
import { definePlugin, type Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import type { SimulatedCall, SimulatedRequest, Simulation } from '../../schema/forecast/simulation.ts';
import { isSuccess } from '../../schema/http/status.ts';
import type { FindModelFacts } from '../../schema/model-facts/find-facts.ts';
import type { RoutingPlan, Target } from '../../schema/plan/plan.ts';
import type { UpstreamStep } from '../../schema/trail/request-script.ts';
import type { TrailEvent } from '../../schema/trail/trail.ts';
import { createRuntime } from '../engine/gateway.ts';
import { wholeStages } from '../engine/stages/whole-stages.ts';
import { createClients } from '../http/exchange/clients.ts';
import type { HttpExchange } from '../http/exchange/http-exchange.ts';
import { createMemoryBreakers } from '../in-memory/memory-breakers.ts';
import { seededChance } from '../in-memory/seeded-chance.ts';
import { drain } from '../streams/drained.ts';
import { asksToStream, spokenTo } from './called-dialect.ts';
import { madeUpSecrets } from './recorded-keys.ts';
import type { ReplayClock } from './replay.ts';
import { replayExchange } from './replay-exchange.ts';
import { scriptedUpstream } from './scripted-upstream.ts';
import { unpriced } from './unpriced.ts';
import { unreadPrompts } from './unread-prompts.ts';
import { withUpstream } from './with-upstream.ts';
import { withoutProbes } from './without-probes.ts';

export interface SimulateOptions {
  readonly plan: RoutingPlan;
  readonly simulation: Simulation;
  readonly plugins: readonly Plugin[];
  readonly clock: ReplayClock;
  readonly reading: TextReading;
  readonly models?: () => Promise<FindModelFacts>;
}

/** A request in flight, and the target of its attempt. */
interface Running {
  readonly exchange: HttpExchange;
  target: Target | undefined;
}

/** A step with its delay, which `scriptedUpstream` passes from one of its callbacks to another. */
interface DelayedStep extends UpstreamStep {
  readonly delayMs: number;
}

const isDelayed = (step: UpstreamStep): step is DelayedStep => 'delayMs' in step;

const toCalls = (trail: readonly TrailEvent[]): readonly SimulatedCall[] =>
  trail.flatMap((event) =>
    event.kind === 'attempted'
      ? [
          {
            target: event.target,
            status: event.status,
            isFailed: event.origin !== 'upstream' || !isSuccess(event.status),
          },
        ]
      : [],
  );

/**
 * Links a plan and runs traffic through it on a virtual clock, with upstreams that answer as the simulation says. Circuits,
 * retries, stickiness and caches are the gateway's. Opens no connection, reads no secret and takes no time.
 */
export const simulate = async ({
  plan: given,
  simulation,
  plugins: declared,
  clock,
  reading,
  models,
}: SimulateOptions): Promise<void> => {
  const plugins = await loadWholePlugins(declared);
  const catalogue = buildCatalogue(plugins);
  const clients = createClients(plugins, { unknownHeaders: 'ignore' });
  const plan = withoutProbes(unpriced(given));
  const targets = new Map(plan.targets.map((target) => [target.id, target]));
  const find = await models?.();
  const running = new AsyncLocalStorage<Running>();
  const current = (): Running => {
    const found = running.getStore();
    if (found === undefined) throw new Error('A call was sent outside of a request.');
    return found;
  };
  const upstream: Upstream = scriptedUpstream({
    clock,
    step: (): DelayedStep => {
      const { target } = current();
      if (target === undefined) throw new Error('A call was sent without an attempt.');
      const { step, afterMs } = simulation.reply(target, clock.monotonic());
      return { ...step, delayMs: afterMs };
    },
    turn: (step) =>
      isDelayed(step) ? new Promise((resolve) => void clock.after(step.delayMs, () => resolve())) : undefined,
    dialect: () => spokenTo(current().target, current().exchange, catalogue),
    stream: () => asksToStream(current().target, current().exchange),
  });
  const watching = definePlugin({
    name: 'gatewright/simulate',
    apply: (hooks) => {
      hooks.attempting.tap('gatewright/simulate', ({ target }) => {
        const request = running.getStore();
        if (request !== undefined) request.target = targets.get(target);
      });
    },
  });
  const runtime = createRuntime({
    stageCode: wholeStages,
    passThrough: 'allow',
    reading,
    models: async () => ({ ofProvider: async (provider) => (model, slug) => find?.(provider, model, slug) }),
    sendsMirrors: false,
    plugins: [...plugins.map((plugin) => withUpstream(plugin, upstream)), watching],
    ports: {
      clock,
      chance: seededChance,
      breakers: createMemoryBreakers({ clock }),
      upstreams: { open: () => upstream, close: async () => {} },
    },
  });
  const linked = runtime.link({ plan, secrets: madeUpSecrets(plan), prompts: unreadPrompts(plan) });
  const run = async ({ atMs, script, kind }: SimulatedRequest): Promise<void> => {
    const exchange = replayExchange(script, { clients, dialects: catalogue.dialects, plan });
    await running.run({ exchange, target: undefined }, async () => {
      const response = await runtime.handle(exchange, linked);
      await drain(response);
      const { status } = response;
      simulation.answered({ atMs, kind, status, ms: clock.monotonic() - atMs, calls: toCalls(exchange.trail) });
    });
  };
  await clock.settle(
    new Promise<void>((resolve, reject) => {
      const requests = simulation.requests[Symbol.iterator]();
      let open = 1;
      const ended = (): void => {
        open -= 1;
        if (open === 0) resolve();
      };
      // Requests are created one after the other, so that a long simulation holds only those in flight.
      const next = (): void => {
        const { done, value } = requests.next();
        if (done === true) {
          ended();
          return;
        }
        open += 1;
        clock.after(value.atMs - clock.monotonic(), () => {
          run(value).then(ended, reject);
          next();
        });
      };
      next();
    }),
  );
  await runtime.close();
};
