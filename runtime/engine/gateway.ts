import type { Limiter } from '../../plugins/sdk/control-plane/limiter.ts';
import type { ReferenceGuard } from '../../plugins/sdk/control-plane/reference-guard.ts';
import type { StoredItems } from '../../plugins/sdk/control-plane/stored-items.ts';
import { defaultReading, type TextReading } from '../../plugins/sdk/dialect/text-span.ts';
import type { Exchange } from '../../plugins/sdk/exchange/exchange.ts';
import { createHooks, type Hooks } from '../../plugins/sdk/hooks/hooks.ts';
import type { GatewayResponse, StreamEnd, Waits } from '../../plugins/sdk/http/http.ts';
import type { Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import { errorReport, GatewayError } from '../../schema/errors/errors.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { nearestProviderHint } from '../../schema/text/provider-hint.ts';
import { Deadlines } from '../async/deadlines.ts';
import { MemoryNamedItems } from '../memory/memory-named-items.ts';
import type { Probes } from '../memory/probes.ts';
import { sharedNamedItems } from '../memory/shared-named-items.ts';
import type { KnownModels } from '../ports/known-models.ts';
import type { NamedItems } from '../ports/named-items.ts';
import type { CacheSettings, Caches } from './cache/caches.ts';
import { entryGate, requestGate } from './call/gates.ts';
import type { LimitedRun } from './call/limited-run.ts';
import type { Mirrors } from './call/mirrors.ts';
import { Placeholders } from './checks/placeholders.ts';
import { clientClosedResponse } from './error-responses/client-closed-response.ts';
import { discard } from './error-responses/discard.ts';
import { errorResponse } from './error-responses/error-response.ts';
import {
  type LinkedPlan,
  type LinkOptions,
  type LinkPorts,
  link,
  type OnLoss,
  type PassThrough,
  type PromptCache,
} from './link.ts';
import type { PluginHashes } from './plan-problems.ts';
import { applyPlugins } from './plugins/apply-plugins.ts';
import { BackgroundHooks } from './plugins/background-hooks.ts';
import { closePlugins } from './plugins/close-plugins.ts';
import { givenExchange, givenResponse } from './plugins/given-answers.ts';
import { guardNotices } from './plugins/guard-notices.ts';
import { createNames } from './plugins/names.ts';
import { observe, observeEvent } from './plugins/observe.ts';
import type { StageCode } from './stages/stage-code.ts';
import { createPreparedTargets } from './target/prepared-targets.ts';
import { createOwnTime } from './times/own-time.ts';

export interface GatewayOptions {
  readonly plugins: readonly Plugin[];
  /** By the plugin's name; valid for its schema, defaults filled in. */
  readonly options?: Readonly<Record<string, JsonObject>>;
  readonly ports: LinkPorts;
  /** `wholeStages`, or `lateStages` where each plan is linked by `whenLoaded`. */
  readonly stageCode: StageCode;
  /** `judged` if absent. */
  readonly passThrough?: PassThrough;
  /** The only headers of clients that are passed through, in lower case; all are if absent. */
  readonly passThroughHeaders?: ReadonlySet<string> | undefined;
  /** How checks read bodies; the new turns, and all members, if absent. */
  readonly reading?: TextReading;
  /** `tell` if absent. */
  readonly onLoss?: OnLoss;
  /** `off` if absent. */
  readonly promptCache?: PromptCache;
  /** Whether the trail of each request says what its attempts used; false if absent. */
  readonly usage?: boolean;
  /** How answers are cached by plans that say so; in memory if absent. */
  readonly cache?: CacheSettings;
  /** The values of references in the plan of `cache.semantic`; without them it has none. */
  readonly secrets?: LinkOptions['secrets'];
  /** Another number whenever a secret in a file has changed; absent: plans keep the secrets that they were linked with. */
  readonly secretsVersion?: () => number;
  /** The key of the placeholders that stand for redacted values; a new one for each process if absent. */
  readonly placeholderKey?: string | undefined;
  /** Notifies the operator of what no answer says; nowhere if absent. */
  readonly log?: (text: string) => void;
  /** Counts requests and their attempts, and limits them; absent: nothing is counted. */
  readonly limiter?: Limiter;
  /** Judges what requests name in accounts that tenants share; absent where nothing is shared. */
  readonly references?: ReferenceGuard;
  /** Where items that answers name outlast this process; they are in memory alone if absent. */
  readonly storedItems?: StoredItems | undefined;
  /** The items that answers name, as this process remembers them; its own alone if absent. */
  readonly rememberedItems?: NamedItems | undefined;
  /** The facts of models, which are asked for where a plan requires that targets are able; nothing is known if absent. */
  readonly models?: () => Promise<KnownModels>;
  /** Whether mirrors send their copies; true if absent. Otherwise it is only noted that they would. */
  readonly sendsMirrors?: boolean;
}

/** The plan of a request: known beforehand, or chosen per request. It may throw the error to answer with. */
export type PlanOf<In extends Exchange> = LinkedPlan | ((exchange: In) => LinkedPlan | Promise<LinkedPlan>);

/** The options that differ between the plans of one gateway. */
type LinkedParts = Pick<LinkOptions, 'plan' | 'secrets' | 'prompts' | 'callerPlan'>;

/** Hooks, plugins and ports joined: runs requests through plans. */
export interface Gateway {
  /** Sealed: a further tap throws. */
  readonly hooks: Hooks;
  /** Throws a `LinkError` that lists everything missing, and with `lateStages` what `whenLoaded` waits for. */
  link(options: LinkedParts): LinkedPlan;
  /**
   * Measures from now on for how long a request waits, if its caller or a plugin wants to know. `outer` is what measures the request
   * that it is made for.
   */
  begin(exchange: Exchange, outer?: Waits): void;
  /** Never rejects: every thrown error becomes an answer in the client's dialect, and only here. */
  handle<In extends Exchange>(exchange: In, plan: PlanOf<In>): Promise<GatewayResponse>;
  /** The answer to a request that is not admitted. */
  refuse(exchange: Exchange, why: GatewayError): GatewayResponse;
  /** Notifies plugins of an answer that no plan made, and of the error that led to it; gives the answer back. */
  conclude(exchange: Exchange, response: GatewayResponse, why?: GatewayError): GatewayResponse;
  /** Lets plugins release their resources, and closes all connections. Rejects then, where a plugin failed in it. */
  close(): Promise<void>;
}

const noModels = async (): Promise<KnownModels> => ({ ofProvider: async () => () => undefined });

const toGatewayError = (error: unknown): GatewayError =>
  error instanceof GatewayError ? error : new GatewayError(errorReport('internal-error', {}), { cause: error });

/** Makes something when it is first asked for; what throws is asked again. */
const once = <Value>(make: () => Value): (() => Value) => {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

/** Applies the plugins to fresh hooks and seals these. Throws where two plugins provide the same name. */
export const createRuntime = ({
  plugins,
  options = {},
  ports,
  stageCode,
  passThrough = 'judged',
  passThroughHeaders,
  reading = defaultReading,
  onLoss = 'tell',
  promptCache = 'off',
  usage = false,
  cache = {},
  secrets = () => undefined,
  placeholderKey,
  log = () => {},
  limiter,
  references,
  storedItems,
  rememberedItems,
  models = noModels,
  secretsVersion,
  sendsMirrors = true,
}: GatewayOptions): Gateway => {
  const hooks = createHooks();
  guardNotices(hooks, log);
  const providerNames = applyPlugins(plugins, hooks, options);
  const names = createNames(hooks);
  const prepared = createPreparedTargets(ports.clock);
  const deadlines = new Deadlines(ports.clock);
  const memoryItems = rememberedItems ?? new MemoryNamedItems(ports.clock);
  const namedItems = storedItems === undefined ? memoryItems : sharedNamedItems(memoryItems, storedItems);
  const placeholders = new Placeholders(placeholderKey);
  const pluginHashes: PluginHashes = () => new Map(plugins.map(({ name, integrity }) => [name, integrity?.()]));
  const background = new BackgroundHooks({ log });
  const balances = once(() => new (stageCode.balances().Balances)({ clock: ports.clock, log }));
  const hedgeBudgets = once(() => new (stageCode.hedges().HedgeBudgets)());
  const coolings = once(() => new (stageCode.keys().KeyCoolings)(ports.clock));
  const bounds = once(() => stageCode.bounds().linkBounds(ports));
  const abilities = once(
    () => ports.abilities ?? stageCode.abilities().createAbilities({ models, clock: ports.clock }),
  );
  // Those that are closed with the gateway, if they were ever made.
  let openedProbes: Probes | undefined;
  const probes = (): Probes => {
    openedProbes ??= new (stageCode.breakers().Probes)(ports);
    return openedProbes;
  };
  let openedMirrors: Mirrors | undefined;
  const mirrors = (): Mirrors => {
    openedMirrors ??= new (stageCode.mirrors().Mirrors)({
      hooks,
      admit,
      sends: sendsMirrors,
      isBusy: ports.places?.isBusy,
    });
    return openedMirrors;
  };
  const suggestProvider = (name: string): string => nearestProviderHint(name, providerNames);
  const linked = (what: LinkedParts): LinkedPlan =>
    link({
      ...what,
      hooks,
      names,
      ports,
      stageCode,
      passThrough,
      passThroughHeaders,
      reading,
      onLoss,
      promptCache,
      references,
      namedItems,
      usage,
      prepared,
      deadlines,
      placeholders,
      background,
      caches,
      balances,
      coolings,
      abilities,
      hedgeBudgets,
      probes,
      mirrors,
      bounds,
      suggestProvider,
      pluginHashes,
      secretsVersion,
    });
  const openCaches = (): Caches => {
    const { createCaches, createEmbedder, embeddingRunner, withEmbedLog } = stageCode.caches();
    const { semantic } = cache;
    const runEmbedding =
      semantic && embeddingRunner({ plan: semantic.plan, link: (plan) => linked({ plan, secrets }) });
    const embed = runEmbedding && withEmbedLog(createEmbedder(runEmbedding), log);
    return createCaches({ settings: cache, names, ports, log, ...(embed === undefined ? {} : { embed }) });
  };
  let opened: Caches | undefined;
  const caches: Caches = {
    staleIfErrorS: cache.staleIfErrorS ?? 0,
    get(mode) {
      opened ??= openCaches();
      return opened.get(mode);
    },
    close: async () => opened?.close(),
  };

  const enter = entryGate(hooks);
  const admit = requestGate(hooks, limiter);
  const changesRequest = hooks.request.isUsed();
  const changesResponse = hooks.response.isUsed();
  const reports = hooks.completed.isUsed();
  const ownTime = createOwnTime(hooks, ports.clock);

  const changed = async (response: GatewayResponse, exchange: Exchange): Promise<GatewayResponse> => {
    try {
      const given = await hooks.response.promise(response, exchange);
      if (given === response) return given;
      const { body } = givenResponse(hooks, 'response', given);
      // A stream in its place may be made of it; what is whole is not.
      if (body.kind === 'bytes') discard(response);
      return given;
    } catch (error) {
      discard(response);
      throw error;
    }
  };

  const failed = (error: unknown, exchange: Exchange): GatewayResponse => {
    const known = toGatewayError(error);
    observeEvent(hooks, hooks.failed, known, exchange);
    const { dialect } = exchange.route;
    return errorResponse(known.report, { dialect: dialect === undefined ? undefined : names.declaration(dialect) });
  };

  /** Notifies hooks that an answer has ended, and then the limiter. */
  const ended = (response: GatewayResponse, exchange: Exchange, end: StreamEnd, limited?: LimitedRun): void => {
    const { cancelled, cause } = exchange.cancellation;
    if (cancelled && cause === undefined) exchange.trail.push({ kind: 'clientLeft' });
    if (reports) observe(hooks, exchange, () => hooks.completed.call(response, exchange, end));
    limited?.answered();
  };

  /** Follows an answer to its end: for bytes that is now, for a stream its own end. */
  const followed = (answer: GatewayResponse, exchange: Exchange, limited?: LimitedRun): GatewayResponse => {
    const response = ownTime.reported(answer, exchange);
    if (reports && exchange.labels !== undefined) exchange.labels.answeredAt = ports.clock.monotonic();
    const { body } = response;
    if (body.kind === 'stream') body.onEnd((end) => ended(response, exchange, end, limited));
    else ended(response, exchange, exchange.cancellation.cancelled ? 'left' : 'complete', limited);
    return response;
  };

  return {
    hooks,
    link: linked,
    begin: (exchange, outer) => ownTime.begin(exchange, outer),
    // One function for the whole request: each further async function costs as much as a stage.
    async handle(exchange, plan) {
      let limited: LimitedRun | undefined;
      try {
        // The client left while it sent its body, so the answer has no receiver.
        if (typeof plan === 'function' && exchange.cancellation.cancelled)
          return followed(clientClosedResponse, exchange);
        const refusal = enter === undefined ? undefined : await enter(exchange);
        if (refusal !== undefined) return followed(refusal, exchange);
        const chosen = typeof plan === 'function' ? plan(exchange) : plan;
        const linked = chosen instanceof Promise ? await chosen : chosen;
        const routed = changesRequest ? givenExchange(hooks, await hooks.request.promise(exchange)) : exchange;
        const asked = admit(routed, linked.plan);
        limited = asked instanceof Promise ? await asked : asked;
        const response = await linked.execute(routed, limited);
        return followed(changesResponse ? await changed(response, routed) : response, exchange, limited);
      } catch (error) {
        return followed(failed(error, exchange), exchange, limited);
      }
    },
    refuse: (exchange, why) => followed(failed(why, exchange), exchange),
    conclude: (exchange, response, why) => {
      if (why !== undefined) observeEvent(hooks, hooks.failed, why, exchange);
      return followed(response, exchange);
    },
    async close() {
      openedProbes?.close();
      await openedMirrors?.close();
      const [failure, ...others] = await closePlugins(hooks);
      await caches.close();
      await ports.upstreams.close();
      for (const { message } of others) log(message);
      if (failure !== undefined) throw failure;
    },
  };
};
