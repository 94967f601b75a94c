import type { Environment } from '../../compiler/cli/command-line/services.ts';
import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import { defaultReading } from '../../plugins/sdk/dialect/text-span.ts';
import type { HookResult } from '../../plugins/sdk/hooks/hook-result.ts';
import type { GatewayResponse } from '../../plugins/sdk/http/http.ts';
import { toBuffer } from '../../plugins/sdk/http/to-buffer.ts';
import { buildCatalogue, type Catalogue } from '../../plugins/sdk/plugin/catalogue.ts';
import { definePlugin, type Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import { receiveBody } from '../../plugins/testkit/route/received-body.ts';
import { recordTargets } from '../../plugins/testkit/route/record-targets.ts';
import { RepliesInTurn } from '../../plugins/testkit/route/replies-in-turn.ts';
import { createVirtualClock } from '../../plugins/testkit/route/virtual-clock.ts';
import { errorResponse } from '../../runtime/engine/error-responses/error-response.ts';
import { createRuntime } from '../../runtime/engine/gateway.ts';
import { wholeStages } from '../../runtime/engine/stages/whole-stages.ts';
import { answerHeaders } from '../../runtime/http/answer/answer-headers.ts';
import { createClients } from '../../runtime/http/exchange/clients.ts';
import { createMemoryBreakers } from '../../runtime/in-memory/memory-breakers.ts';
import type { Chance } from '../../runtime/ports/chance.ts';
import { madeUpSecrets } from '../../runtime/simulation/recorded-keys.ts';
import { unreadPrompts } from '../../runtime/simulation/unread-prompts.ts';
import { withoutMirrors } from '../../runtime/simulation/without-mirrors.ts';
import { withoutProbes } from '../../runtime/simulation/without-probes.ts';
import { GatewayError } from '../../schema/errors/errors.ts';
import type { RouteTestReplies, RouteTestRequest, RouteTestVerdicts } from '../../schema/generated/route-test-file.ts';
import type { FindModelFacts } from '../../schema/model-facts/find-facts.ts';
import type { RoutingPlan } from '../../schema/plan/plan.ts';
import { suggestName } from '../../schema/text/closest-name.ts';
import type { TrailEvent } from '../../schema/trail/trail.ts';
import { RouteProblem } from './route-problem.ts';
import { scriptedChecks } from './scripted-checks.ts';
import { toExchange } from './to-exchange.ts';
import { toReplies } from './to-reply.ts';

/** One request, and what targets and checks do while it is served. */
export interface RouteStep {
  readonly given: RouteTestRequest;
  readonly when: RouteTestReplies;
  readonly checks: RouteTestVerdicts;
}

/** The outcome of a request. */
export interface RouteOutcome {
  /** The targets that were called, in order. */
  readonly calls: readonly string[];
  readonly status: number;
  /** Name, value, name, value, … */
  readonly headers: readonly string[];
  readonly body: string;
  /** Whether the answer broke off. */
  readonly broken: boolean;
  readonly elapsedMs: number;
  /** The ids of each guardrail that denied, and of the checks that made it deny. */
  readonly denied: readonly (readonly string[])[];
  readonly trail: readonly TrailEvent[];
}

/** Everything that tests of one plan have in common. */
export interface RouteBench {
  readonly plan: RoutingPlan;
  readonly environment: Environment;
  readonly plugins: readonly Plugin[];
  readonly catalogue: Catalogue;
  readonly models: FindModelFacts | undefined;
}

const toDenial = ({ id, verdict, checks }: HookResult): readonly string[] => [
  id,
  ...checks.filter((check) => check.verdict === verdict).map((check) => check.id),
];

interface Watched {
  readonly plugin: Plugin;
  /** Returns the denials since the last call. */
  take(): readonly (readonly string[])[];
}

const watchDenials = (): Watched => {
  let denied: (readonly string[])[] = [];
  const plugin = definePlugin({
    name: 'gatewright/route-test',
    apply: ({ judged }) =>
      judged.tap('gatewright/route-test', ({ result }) => {
        if (result.deny) denied.push(toDenial(result));
      }),
  });
  return {
    plugin,
    take: () => {
      const taken = denied;
      denied = [];
      return taken;
    },
  };
};

/** A route test has no prices, and sends no copies and no probes. */
const testedPlan = ({ maxCostUsd: _maxCostUsd, ...plan }: RoutingPlan): RoutingPlan =>
  withoutProbes({ ...plan, root: withoutMirrors(plan.root) });

/** Returns the answer as if it came from the provider that its recorder stands for. */
const withProvider = (response: GatewayResponse, providers: ReadonlyMap<string, string>): GatewayResponse => {
  const { leaf } = response;
  const provider = providers.get(leaf?.provider ?? '');
  return leaf === undefined || provider === undefined ? response : { ...response, leaf: { ...leaf, provider } };
};

/** Whether the client was sent an error within a stream. A stream that continued elsewhere failed before. */
const isBroken = (trail: readonly TrailEvent[]): boolean =>
  trail.filter(({ kind }) => kind === 'streamFailed').length > trail.filter(({ kind }) => kind === 'continued').length;

/** Returns the provider that callers use. Throws a `RouteProblem` if there is none. */
const findProvider = (steps: readonly RouteStep[], { providers }: Catalogue): string => {
  const name = steps.at(-1)?.given.provider ?? 'echo';
  if (providers.has(name)) return name;
  throw new RouteProblem(
    `There is no provider "${name}".`,
    suggestName(name, providers.keys(), 'See docs/reference/providers.md.'),
  );
};

const nothing: RouteStep = { given: {}, when: {}, checks: {} };

/** Answers like the server if no plan can serve a request. */
const served = async (work: Promise<GatewayResponse>, dialect: Dialect | undefined): Promise<GatewayResponse> => {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return errorResponse(error.report, { dialect });
  }
};

/**
 * Sends requests one after another to a gateway of their own, which runs the plan with the real linker, and returns the outcome
 * of each. Time is virtual, targets reply as each step specifies, and nothing leaves the process. Rejects with a `RouteProblem`,
 * a `LinkError` or a `GatewayError` for anything that cannot be tried.
 */
export const runSteps = async (
  bench: RouteBench,
  steps: readonly RouteStep[],
  toChance: (plan: RoutingPlan, prefer: () => readonly string[]) => Chance,
): Promise<readonly RouteOutcome[]> => {
  const { environment, models } = bench;
  let step = nothing;
  let replies = new RepliesInTurn(new Map());
  const tested = testedPlan(bench.plan);
  const scripted = scriptedChecks({
    ...{ root: tested.root, known: bench.catalogue.checks },
    verdicts: () => step.checks,
    names: new Set(steps.flatMap(({ checks }) => Object.keys(checks))),
  });
  const denials = watchDenials();
  const scriptPlugin = definePlugin({ name: 'gatewright/verdicts', guardrails: scripted.guardrails });
  const { plan, plugins, calls, providers } = recordTargets(
    { ...tested, root: scripted.root },
    {
      plugins: [...bench.plugins, scriptPlugin],
      reply: (target) => replies.next(target),
      callersProvider: findProvider(steps, bench.catalogue),
    },
  );
  const { dialects } = buildCatalogue(plugins);
  const clock = createVirtualClock();
  const chance = toChance(bench.plan, () => step.given.prefer ?? []);
  const outside = new Set<string>();
  const open = (origin: string): never => {
    outside.add(origin);
    throw new Error(`A route test calls nobody, and was asked to call ${origin}.`);
  };
  const runtime = createRuntime({
    stageCode: wholeStages,
    plugins: [...plugins, denials.plugin],
    passThrough: environment.passThrough ?? 'judged',
    reading: environment.reading ?? defaultReading,
    onLoss: environment.onLoss ?? 'tell',
    promptCache: environment.promptCache ?? 'off',
    models: async () => ({
      ofProvider: async (provider) => (model, slug) => models?.(providers.get(provider) ?? provider, model, slug),
    }),
    ports: { clock, chance, breakers: createMemoryBreakers({ clock }), upstreams: { open, close: async () => {} } },
  });
  const linked = runtime.link({ plan, secrets: madeUpSecrets(plan), prompts: unreadPrompts(plan) });
  const clients = createClients(plugins, { unknownHeaders: environment.unknownHeaders });
  const outcomes: RouteOutcome[] = [];
  for (const next of steps) {
    step = next;
    replies = new RepliesInTurn(toReplies(step.when));
    clock.advance(step.given.after_ms ?? 0);
    const began = clock.monotonic();
    const sent = calls.length;
    const exchange = toExchange(step.given, { clients, dialects, plan, now: began });
    const response = await clock.settle(
      served(runtime.handle(exchange, linked), dialects.get(exchange.route.dialect ?? '')),
    );
    const headers = answerHeaders(withProvider(response, providers), exchange);
    const { bytes, failure } = await clock.settle(receiveBody(response.body));
    const [unreached] = outside;
    if (unreached !== undefined)
      throw new RouteProblem(
        `Something called ${unreached}, and a route test calls nobody.`,
        'If it was a check, give its verdict in "checks".',
      );
    outcomes.push({
      calls: calls.slice(sent).map(({ target }) => target),
      ...{ status: response.status, headers, body: toBuffer(bytes).toString('utf8') },
      broken: failure !== undefined || isBroken(exchange.trail),
      elapsedMs: clock.monotonic() - began,
      denied: denials.take(),
      trail: [...exchange.trail],
    });
  }
  await runtime.close();
  return outcomes;
};
