import { fromJson } from '../../../schema/json/from-json.ts';
import { isJsonObject } from '../../../schema/json/json.ts';
import type { CredentialRef, RoutingPlan } from '../../../schema/plan/plan.ts';
import { credentialSecrets } from '../../../schema/plan/plan.ts';
import type { Exchange } from '../../sdk/exchange/exchange.ts';
import type { GatewayResponse } from '../../sdk/http/http.ts';
import { toBuffer } from '../../sdk/http/to-buffer.ts';
import { buildCatalogue } from '../../sdk/plugin/catalogue.ts';
import { loadWholePlugins } from '../../sdk/plugin/load-whole-plugins.ts';
import type { Plugin } from '../../sdk/plugin/plugin.ts';
import { type FixedChance, heaviestBranch } from './heaviest-branch.ts';
import { plainRequest } from './plain-request.ts';
import { receiveBody } from './received-body.ts';
import { recordTargets } from './record-targets.ts';
import type { UpstreamReply } from './replies.ts';
import { RepliesInTurn } from './replies-in-turn.ts';
import type { Route, RouteOptions, RouteRequest, RouteRun, RouteTest } from './route-test.ts';
import { runSummary } from './run-summary.ts';
import { createTestExchange } from './test-exchange.ts';
import { trailStory } from './trail-story.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';

/** The services for a route test: the gateway's own linker, with ports provided by the test. */
export interface RouteServices {
  readonly plugins: readonly Plugin[];
  /** Links and runs the plan. Every secret that it needs is present. */
  execute(run: {
    readonly plan: RoutingPlan;
    readonly plugins: readonly Plugin[];
    readonly clock: VirtualClock;
    readonly chance: FixedChance;
  }): (exchange: Exchange) => Promise<GatewayResponse>;
}

interface Setup {
  readonly request: RouteRequest<object>;
  readonly replies: ReadonlyMap<string, readonly UpstreamReply[]>;
}

const secret = 'test-secret';

const slotsIn = (credential: CredentialRef | null): readonly number[] =>
  credentialSecrets(credential).flatMap((value) => (value.kind === 'slot' ? [value.slot] : []));

/** Returns the literal secrets that would have come with the config. */
const toSecrets = ({ targets }: RoutingPlan): readonly string[] =>
  Array.from({ length: Math.max(-1, ...targets.flatMap(({ credential }) => slotsIn(credential))) + 1 }, () => secret);

const toExchange = (plan: RoutingPlan, request: RouteRequest<object>, plugins: readonly Plugin[]): Exchange => {
  const { dialect = 'chat', metadata = {}, headers = {} } = request;
  const spoken = buildCatalogue(plugins).dialects.get(dialect);
  const { path, asked = {}, body } = plainRequest(spoken, request.body);
  return createTestExchange({
    dialect,
    operation: spoken?.operation ?? 'converse',
    path: request.path ?? path,
    asked,
    headers: ['content-type', 'application/json', ...Object.entries(headers).flat()],
    body,
    metadata: isJsonObject(metadata) ? metadata : {},
    planModel: request.planModel,
    overrides: { credential: secret },
    secrets: toSecrets(plan),
  });
};

const readable = (bytes: Uint8Array): unknown => {
  const text = toBuffer(bytes).toString('utf8');
  try {
    return fromJson(text);
  } catch {
    return text;
  }
};

const runOnce = async (plan: RoutingPlan, { request, replies }: Setup, services: RouteServices): Promise<RouteRun> => {
  const plugins = await loadWholePlugins(services.plugins);
  const callersProvider = request.provider ?? 'echo';
  const inTurn = new RepliesInTurn(replies);
  const recorded = recordTargets(plan, { plugins, reply: (target) => inTurn.next(target), callersProvider });
  const clock = createVirtualClock();
  const chance = heaviestBranch(request.picks);
  const execute = services.execute({ plan: recorded.plan, plugins: recorded.plugins, clock, chance });
  const exchange = toExchange(plan, request, plugins);
  const { status, bytes, failure } = await clock.settle(
    execute(exchange).then(async ({ status, body }) => ({ status, ...(await receiveBody(body)) })),
  );
  return {
    summary: runSummary(plan, { status, trail: exchange.trail }),
    targets: recorded.calls.map(({ target }) => target),
    status,
    answer: readable(bytes),
    ...(failure !== undefined && { failure }),
    elapsedMs: clock.monotonic(),
    calls: recorded.calls,
    trail: exchange.trail,
  };
};

const listed = (targets: readonly string[]): string =>
  targets.length === 0 ? 'no target' : targets.map((target) => `"${target}"`).join(', ');

const checkRun = (run: RouteRun, targets: readonly string[], status: number | undefined): void => {
  const asExpected = targets.length === run.targets.length && targets.every((target, at) => target === run.targets[at]);
  const wrong = [
    ...(asExpected ? [] : [`Expected calls of ${listed(targets)}, got ${listed(run.targets)}.`]),
    ...(status === undefined || status === run.status ? [] : [`Expected status ${status}, got ${run.status}.`]),
  ];
  if (wrong.length > 0) throw new Error(`${wrong.join(' ')} What happened:\n${trailStory(run.trail)}`);
};

/** Returns the replies of a target. Throws if they are something else, which only types prevent. */
const toReplies = (id: string, given: UpstreamReply | readonly UpstreamReply[]): readonly UpstreamReply[] => {
  const replies: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (replies.every((reply) => isJsonObject(reply) && 'kind' in reply)) return replies as readonly UpstreamReply[];
  throw new TypeError(
    `The replies of "${id}" must be made by answers, streams, refuses or hangs: when({ "${id}": answers(503) }).`,
  );
};

/** Throws if it is something else, such as a config or the path of a plan, which only types prevent. */
const requirePlan = (plan: unknown): void => {
  if (isJsonObject(plan) && 'root' in plan && Array.isArray(plan.targets)) return;
  throw new TypeError('route needs a compiled plan: import { plan } of the NAME.plan.ts that gw compile writes.');
};

const routeTest = (plan: RoutingPlan, setup: Setup, services: RouteServices): RouteTest => {
  const run = (): Promise<RouteRun> => runOnce(plan, setup, services);
  return {
    given: (request) => routeTest(plan, { ...setup, request: { ...setup.request, ...request } }, services),
    when: (replies) => {
      const unknown = Object.keys(replies).find((id) => !plan.targets.some((target) => target.id === id));
      if (unknown !== undefined)
        throw new Error(`The plan has no target "${unknown}". It has ${listed(plan.targets.map(({ id }) => id))}.`);
      const added = Object.entries(replies).flatMap(([id, reply]) =>
        reply === undefined ? [] : [[id, toReplies(id, reply)] as const],
      );
      return routeTest(plan, { ...setup, replies: new Map([...setup.replies, ...added]) }, services);
    },
    expect: async (targets, { status } = {}) => {
      const done = await run();
      checkRun(done, targets, status);
      return done;
    },
    run,
  };
};

/** Creates `route` from a linker, which is passed in because the kit does not import the runtime. */
export const createRoute = (services: RouteServices): Route => {
  const begin = (plan: RoutingPlan, { plugins = [] }: RouteOptions = {}): RouteTest => {
    requirePlan(plan);
    const all = { ...services, plugins: [...services.plugins, ...plugins] };
    return routeTest(plan, { request: {}, replies: new Map() }, all);
  };
  // Only the plan's type knows the names; the values here are plain strings.
  return begin as Route;
};
