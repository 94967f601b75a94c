import type { Limiter } from '../../plugins/sdk/control-plane/limiter.ts';
import type { ReferenceGuard } from '../../plugins/sdk/control-plane/reference-guard.ts';
import type { StoredItems } from '../../plugins/sdk/control-plane/stored-items.ts';
import { defaultReading, type TextReading } from '../../plugins/sdk/dialect/text-span.ts';
import type { Exchange } from '../../plugins/sdk/exchange/exchange.ts';
import { createHooks, type Hooks } from '../../plugins/sdk/hooks/hooks.ts';
import type { GatewayResponse, StreamEnd, Waits } from '../../plugins/sdk/http/http.ts';
import type { Plugin } from '../../plugins/sdk/plugin/plugin.ts';
import { GatewayError } from '../../schema/errors/errors.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { nearestProviderHint } from '../../schema/text/provider-hint.ts';
import { Deadlines } from '../async/deadlines.ts';
import { MemoryNamedItems } from '../in-memory/memory-named-items.ts';
import type { Probes } from '../in-memory/probes.ts';
import { sharedNamedItems } from '../in-memory/shared-named-items.ts';
import type { KnownModels } from '../ports/known-models.ts';
import type { NamedItems } from '../ports/named-items.ts';
import { entryGate, requestGate } from './call/gates.ts';
import type { LimitedRun } from './call/limited-run.ts';
import type { Mirrors } from './call/mirrors.ts';
import { clientClosedResponse } from './error-responses/client-closed-response.ts';
import { discard } from './error-responses/discard.ts';
import { errorResponse } from './error-responses/error-response.ts';
import { Placeholders } from './guardrail-checks/placeholders.ts';
import {
  type LinkedPlan,
  type LinkOptions,
  type LinkPorts,
  link,
  type OnLoss,
  type PassThrough,
  type PromptCache,
} from './link.ts';
import { createOwnTime } from './own-time.ts';
import type { PluginHashes } from './plan-problems.ts';
import type { CacheSettings, Caches } from './plugin-caches/caches.ts';
import { applyPlugins } from './plugins/apply-plugins.ts';
import { BackgroundHooks } from './plugins/background-hooks.ts';
import { closePlugins } from './plugins/close-plugins.ts';
import { checkedExchange, checkedResponse } from './plugins/given-answers.ts';
import { guardNotices } from './plugins/guard-notices.ts';
import { createNames } from './plugins/names.ts';
import { observe, observeEvent, reportEnd } from './plugins/observe.ts';
import type { StageCode } from './stages/stage-code.ts';
import { createPreparedTargets } from './target/prepared-targets.ts';

export interface GatewayOptions {
  readonly plugins: readonly Plugin[];
  /** By the plugin's name. Each entry is valid for the plugin's schema, with defaults filled in. */
  readonly options?: Readonly<Record<string, JsonObject>>;
  readonly ports: LinkPorts;
  /** `wholeStages`, or `lateStages` if `whenLoaded` links every plan. */
  readonly stageCode: StageCode;
  /** Default: `judged`. */
  readonly passThrough?: PassThrough | undefined;
  /** The only client headers that are passed through, in lower case. If absent, all are. */
  readonly passThroughHeaders?: ReadonlySet<string> | undefined;
  /** How checks read bodies. Default: the new turns, and all members. */
  readonly reading?: TextReading;
  /** Default: `tell`. */
  readonly onLoss?: OnLoss | undefined;
  /** Default: `off`. */
  readonly promptCache?: PromptCache | undefined;
  /** Whether the trail of each request records what its attempts used. Default: false. */
  readonly usage?: boolean | undefined;
  /** How answers are cached for plans with a cache. Default: in memory. */
  readonly cache?: CacheSettings;
  /** Resolves the references in the plan of `cache.semantic`. If absent, they have no values. */
  readonly secrets?: LinkOptions['secrets'];
  /** A number that changes whenever a secret in a file changes. If absent, plans keep the secrets that they were linked with. */
  readonly secretsVersion?: () => number;
  /** The key for the placeholders of redacted values. Default: a new key for each process. */
  readonly placeholderKey?: string | undefined;
  /** Notifies the operator of what no answer reports. If absent, nothing is logged. */
  readonly log?: (text: string) => void;
  /** Counts requests and attempts, and limits them. If absent, nothing is counted. */
  readonly limiter?: Limiter;
  /** Judges what requests name in accounts that tenants share. Absent if nothing is shared. */
  readonly references?: ReferenceGuard;
  /** Stores the items that answers name beyond the life of this process. If absent, they are in memory only. */
  readonly storedItems?: StoredItems | undefined;
  /** The items from answers that this process remembers. Default: an own set. */
  readonly rememberedItems?: NamedItems | undefined;
  /** The facts of models, loaded if a plan requires certain abilities of its targets. If absent, nothing is known. */
  readonly models?: () => Promise<KnownModels>;
  /** Whether mirrors send their copies (default: true). If false, it is only recorded that they would. */
  readonly sendsMirrors?: boolean;
}

/** The plan of a request: known in advance, or chosen per request. May throw the error to answer with. */
export type PlanOf<In extends Exchange> = LinkedPlan | ((exchange: In) => LinkedPlan | Promise<LinkedPlan>);

/** The options that differ between the plans of one gateway. */
type LinkedParts = Pick<LinkOptions, 'plan' | 'secrets' | 'prompts' | 'callerPlan'>;

/** Joined hooks, plugins and ports: runs requests through plans. */
export interface Gateway {
  /** Sealed: adding a tap throws. */
  readonly hooks: Hooks;
  /** Throws a `LinkError` that lists everything missing, and with `lateStages` also the errors that `whenLoaded` handles. */
  link(options: LinkedParts): LinkedPlan;
  /**
   * Starts to measure how long a request waits, if its caller or a plugin wants to know. `outer` measures the request that this
   * one was created for.
   */
  begin(exchange: Exchange, outer?: Waits): void;
  /** Never rejects: this is the only place where thrown errors become answers in the client's dialect. */
  handle<In extends Exchange>(exchange: In, plan: PlanOf<In>): Promise<GatewayResponse>;
  /** Returns the answer to a request that is not admitted. */
  refuse(exchange: Exchange, why: GatewayError): GatewayResponse;
  /** Notifies plugins of an answer that no plan produced, and of the error that caused it. Returns the answer. */
  conclude(exchange: Exchange, response: GatewayResponse, why?: GatewayError): GatewayResponse;
  /** Lets plugins release their resources, and closes all connections. Rejects afterwards if a plugin failed. */
  close(): Promise<void>;
}

/**
 * Whether a request failed after its client disconnected, for instance because its body is incomplete: nobody receives that error.
 * One with a cause is reported nevertheless.
 */
const hasLeft = ({ cancellation: { cancelled, cause } }: Exchange, error: unknown): boolean =>
  cancelled && cause === undefined && error instanceof GatewayError && error.cause === undefined;

const noModels = async (): Promise<KnownModels> => ({ ofProvider: async () => () => undefined });

/** Creates a value on first use. If that throws, the next call tries again. */
const once = <Value>(make: () => Value): (() => Value) => {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

/** Applies the plugins to new hooks and seals them. Throws if two plugins provide the same name. */
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
  // Closed together with the gateway, if they were created.
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
      const { body } = checkedResponse(hooks, 'response', given);
      // A streamed body may be reused for the replacement answer; a whole one may not.
      if (body.kind === 'bytes') discard(response);
      return given;
    } catch (error) {
      discard(response);
      throw error;
    }
  };

  const failed = (error: unknown, exchange: Exchange): GatewayResponse => {
    const report = reportEnd(hooks, exchange, error);
    const { dialect } = exchange.route;
    return errorResponse(report, { dialect: dialect === undefined ? undefined : names.declaration(dialect) });
  };

  /** Notifies hooks, and then the limiter, that an answer has ended. */
  const ended = (response: GatewayResponse, exchange: Exchange, end: StreamEnd, limited?: LimitedRun): void => {
    const { cancelled, cause } = exchange.cancellation;
    if (cancelled && cause === undefined) exchange.trail.push({ kind: 'clientLeft' });
    if (reports) observe(hooks, exchange, () => hooks.completed.call(response, exchange, end));
    limited?.answered();
  };

  /** Follows an answer to its end: bytes end now, a stream ends later. */
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
    // One function for the whole request, because each further async function costs as much as a stage.
    async handle(exchange, plan) {
      let limited: LimitedRun | undefined;
      try {
        // The client disconnected while it sent its body, so nobody receives the answer.
        if (typeof plan === 'function' && exchange.cancellation.cancelled)
          return followed(clientClosedResponse, exchange);
        const refusal = enter === undefined ? undefined : await enter(exchange);
        if (refusal !== undefined) return followed(refusal, exchange);
        const chosen = typeof plan === 'function' ? plan(exchange) : plan;
        const linked = chosen instanceof Promise ? await chosen : chosen;
        const routed = changesRequest ? checkedExchange(hooks, await hooks.request.promise(exchange)) : exchange;
        const asked = admit(routed, linked.plan);
        limited = asked instanceof Promise ? await asked : asked;
        const response = await linked.execute(routed, limited);
        return followed(changesResponse ? await changed(response, routed) : response, exchange, limited);
      } catch (error) {
        return followed(hasLeft(exchange, error) ? clientClosedResponse : failed(error, exchange), exchange, limited);
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
      const [failure, ...others] = await closePlugins(hooks, ports.clock);
      await caches.close();
      await ports.upstreams.close();
      for (const { message } of others) log(message);
      if (failure !== undefined) throw failure;
    },
  };
};
