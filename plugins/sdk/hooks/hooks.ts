import {
  AsyncSeriesBailHook,
  AsyncSeriesHook,
  AsyncSeriesWaterfallHook,
  HookMap,
  SyncBailHook,
  SyncHook,
} from 'tapable';
import type { AnswerEvent } from '../../../schema/conversation/answer.ts';
import type { ErrorReport } from '../../../schema/errors/errors.ts';
import type { LeafNode } from '../../../schema/plan/plan.ts';
import type { TrailEvent } from '../../../schema/trail/trail.ts';
import type { CacheDefinition } from '../cache/cache.ts';
import type { ChooserDefinition } from '../chooser/chooser.ts';
import type { Dialect, LazyDialect } from '../dialect/dialect.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Guardrail } from '../guardrail/guardrail.ts';
import type { GatewayResponse, Scope, StreamEnd, UpstreamAnswer, UpstreamRequest } from '../http/http.ts';
import type { Provider } from '../provider/provider.ts';
import type { AttemptStart } from './attempt-start.ts';
import type { JudgedHook } from './hook-result.ts';
import type { LimitReached } from './limit-reached.ts';
import type { MirrorReport } from './mirror-report.ts';
import type { ProbeReport } from './probe-report.ts';
import type { RefusedKey } from './refused-key.ts';
import type { UnreadAnswer } from './unread-answer.ts';

type Named<Thing> = HookMap<SyncBailHook<[], Thing>>;
type EventOf<Kind extends TrailEvent['kind']> = Extract<TrailEvent, { kind: Kind }>;
type Notice<Kind extends TrailEvent['kind']> = SyncHook<[EventOf<Kind>, Exchange]>;

/**
 * The decision of a stage about the events that it has received and not yet released: those that it holds, and the one that it
 * was just passed. `keep` is how many of them stay held, counted from the end; 0 if absent. Events of kinds that the stage does
 * not read stay in order behind the events before them. `replace` puts its `events` in the place of all events that are not kept.
 * `refuse` ends the stream: before the first content as an answer that may be retried, afterwards with an error event.
 */
export type Step =
  | { readonly do: 'release'; readonly keep?: number }
  | { readonly do: 'hold' }
  | { readonly do: 'replace'; readonly events: readonly AnswerEvent[]; readonly keep?: number }
  | { readonly do: 'refuse'; readonly report: ErrorReport };

/**
 * One stage of one stream. While a returned promise is pending, the upstream is paused and the stage receives no events. If a method
 * throws, or returns something other than a step, the request or its stream ends with an internal error, and `failed` is called.
 */
export interface StreamStage {
  push(event: AnswerEvent): Step | Promise<Step>;
  /** Called after the last event of the answer. The stage must not hold back anything any more. */
  end(): Step | Promise<Step>;
}

/**
 * Creates the stages of streams whose answers the gateway can decode. Frames are forwarded as received until a stage first
 * replaces events; from then on, the client's dialect encodes all of them anew.
 */
export interface StreamStageFactory {
  /** The kinds of events that its stages receive. */
  readonly reads: readonly AnswerEvent['kind'][];
  /**
   * How much its stages hold back at most: nothing, so that the answer is never delayed; a number of characters of each text; or
   * the whole answer.
   */
  readonly holds: 'none' | 'all' | { readonly chars: number };
  create(exchange: Exchange): StreamStage;
}

/** The hooks that plugins tap. All hooks are sealed when plans are linked; tapping one later throws. */
export interface Hooks {
  /** Provides a provider by its id. Called when a plan is linked. */
  readonly provider: Named<Provider>;
  /** Provides a dialect by its id. Called when a plan is linked. */
  readonly dialect: Named<Dialect | LazyDialect>;
  /** Provides a check by its id, as configs name it. Called when a plan is linked. */
  readonly check: Named<Guardrail>;
  /** Provides a cache by the mode that configs name. Called when a plan is linked. */
  readonly cache: Named<CacheDefinition>;
  /** Provides a chooser by the name in a strategy's `balance`. Called when a plan is linked. */
  readonly chooser: Named<ChooserDefinition>;
  /** Runs once per request, before it is routed, for authentication and admission. A returned answer ends the request. */
  readonly beforeRoute: AsyncSeriesBailHook<[Exchange], GatewayResponse | undefined>;
  /** Runs once per request, after its plan is chosen and before the plan runs. A tap may return a changed exchange. */
  readonly request: AsyncSeriesWaterfallHook<[Exchange]>;
  /**
   * Runs once per request, with the answer before it is written. A tap may return another answer. If that is a stream which does
   * not consume the original one, the tap must discard the original; if it is a whole body, the gateway discards the original.
   */
  readonly response: AsyncSeriesWaterfallHook<[GatewayResponse, Exchange]>;
  /** Runs once per leaf, before its attempts, to apply limits. A returned answer takes the place of the leaf's answer. */
  readonly admit: AsyncSeriesBailHook<[LeafNode, Exchange], GatewayResponse | undefined>;
  /** Runs once per attempt, with the request as it will be sent to the provider. A tap may return another request. */
  readonly providerRequest: AsyncSeriesWaterfallHook<[UpstreamRequest, Exchange, Scope]>;
  /**
   * Runs once per attempt, with the answer as received from the provider. A tap may return another answer. If its body does not
   * consume the original one, the tap must discard the original; if the tap returns a failure, the gateway discards it.
   */
  readonly providerResponse: AsyncSeriesWaterfallHook<[UpstreamAnswer, Exchange, Scope]>;
  /** Collects the stages of streams, when a plan is linked. */
  readonly stream: SyncHook<[stages: StreamStageFactory[]]>;
  /**
   * Called immediately before an attempt is sent. A tap may add headers that do not affect the answer, such as trace headers;
   * caches ignore them.
   */
  readonly attempting: SyncHook<[AttemptStart, Exchange]>;
  /** An attempt was answered or has failed. Like every `Notice`, this is for observation only: a tap cannot change anything. */
  readonly attempted: Notice<'attempted'>;
  /**
   * Asks a plugin whether it wants `usageRecorded` for a request. A tap returns true or undefined. Only taps of plugins that tap
   * `usageRecorded` under the same name count. A plugin that taps `usageRecorded` but not this hook gets it for every request.
   */
  readonly usageWanted: SyncBailHook<[Exchange], true | undefined>;
  /**
   * Reports at the end of each attempt what it used. If a plugin wants it, the gateway reads usage from answers and requests it
   * for streams.
   */
  readonly usageRecorded: Notice<'settled'>;
  /**
   * By dialect id: passes a plugin the answer, from which it reads the usage itself. It replaces `usageRecorded` for small
   * answers that are neither translated nor streamed, if every plugin that taps `usageRecorded` also taps this hook under the
   * same name, and nothing else in the gateway needs to know what the attempt used.
   */
  readonly deferredUsage: HookMap<SyncHook<[UnreadAnswer, Exchange]>>;
  /** @deprecated Tap `usageWanted`, which is the same hook. */
  readonly settles: Hooks['usageWanted'];
  /** @deprecated Tap `usageRecorded`, which is the same hook. */
  readonly settled: Hooks['usageRecorded'];
  /** @deprecated Tap `deferredUsage`, which is the same hook. */
  readonly unread: Hooks['deferredUsage'];
  /** A leaf waits before it sends its request again. */
  readonly retried: Notice<'retried'>;
  /** A fallback went on to its next branch. */
  readonly fellBack: Notice<'fellBack'>;
  /** A fallback calls its next branch in parallel with a slow one. */
  readonly hedged: Notice<'hedged'>;
  /** A hedge has ended, or was not started. */
  readonly hedgeEnded: Notice<'hedgeEnded'>;
  /** The circuit of a target was opened, closed or half opened. */
  readonly circuitChanged: Notice<'circuitChanged'>;
  /**
   * A target was probed to find out whether it works again. The exchange is not that of a client; neither is the one passed to
   * `circuitChanged` afterwards.
   */
  readonly probed: SyncHook<[ProbeReport, Exchange]>;
  /** Reports the result of each hook or guardrail. For those that run in the background, this may happen after the answer. */
  readonly judged: SyncHook<[JudgedHook, Exchange]>;
  /**
   * Reports a mirrored copy of a request when its answer has ended, with the exchange of the copy; or that no copy was sent, with
   * the exchange of the original request.
   */
  readonly mirrored: SyncHook<[MirrorReport, Exchange]>;
  /**
   * Reports how much time the gateway itself added to a request: the milliseconds from receiving the request's head until the
   * answer, or the first content of a stream, was ready to be sent, excluding the time spent waiting for upstreams, for services
   * that checks call, between retries, or for the client's body. If this hook is tapped, all requests are measured.
   */
  readonly overheadMeasured: SyncHook<[ms: number, exchange: Exchange]>;
  /**
   * An answer is complete: if it has a whole body, immediately before it is sent; if it is a stream, when the stream has ended.
   */
  readonly completed: SyncHook<[GatewayResponse, Exchange, StreamEnd]>;
  /** A tap or another observer has thrown, or a background hook has failed. The request is not affected. */
  readonly failed: SyncHook<[Error, Exchange]>;
  /**
   * The counter of a limit has reached the alert threshold of its policy, or the limit itself. Called once for each in each
   * window.
   */
  readonly limitReached: SyncHook<[LimitReached]>;
  /** A service key was rejected because it is unknown or no longer valid. Called for every such request. */
  readonly keyRefused: SyncHook<[RefusedKey]>;
  /**
   * The gateway shuts down; plugins close what they have open. The taps of one plugin, which share a name, run in sequence;
   * plugins do not wait for each other. Each has 10 seconds; the gateway then ends without it, and names it.
   */
  readonly close: AsyncSeriesHook<[]>;
}

const named = <Thing>(): Named<Thing> => new HookMap(() => new SyncBailHook<[], Thing>());

/** The old names of renamed hooks, and their new names. The old names still work, but are not enumerable. */
export const renamedHooks = { settles: 'usageWanted', settled: 'usageRecorded', unread: 'deferredUsage' } as const;

const createNamedHooks = (): Omit<Hooks, keyof typeof renamedHooks> => ({
  provider: named<Provider>(),
  dialect: named<Dialect | LazyDialect>(),
  check: named<Guardrail>(),
  cache: named<CacheDefinition>(),
  chooser: named<ChooserDefinition>(),
  beforeRoute: new AsyncSeriesBailHook(['exchange']),
  request: new AsyncSeriesWaterfallHook(['exchange']),
  response: new AsyncSeriesWaterfallHook(['response', 'exchange']),
  admit: new AsyncSeriesBailHook(['leaf', 'exchange']),
  providerRequest: new AsyncSeriesWaterfallHook(['request', 'exchange', 'scope']),
  providerResponse: new AsyncSeriesWaterfallHook(['answer', 'exchange', 'scope']),
  stream: new SyncHook(['stages']),
  attempting: new SyncHook(['attempt', 'exchange']),
  attempted: new SyncHook(['event', 'exchange']),
  usageWanted: new SyncBailHook(['exchange']),
  usageRecorded: new SyncHook(['event', 'exchange']),
  deferredUsage: new HookMap(() => new SyncHook(['answer', 'exchange'])),
  retried: new SyncHook(['event', 'exchange']),
  fellBack: new SyncHook(['event', 'exchange']),
  hedged: new SyncHook(['event', 'exchange']),
  hedgeEnded: new SyncHook(['event', 'exchange']),
  circuitChanged: new SyncHook(['event', 'exchange']),
  probed: new SyncHook(['report', 'exchange']),
  judged: new SyncHook(['event', 'exchange']),
  mirrored: new SyncHook(['report', 'exchange']),
  overheadMeasured: new SyncHook(['ms', 'exchange']),
  completed: new SyncHook(['response', 'exchange', 'end']),
  failed: new SyncHook(['error', 'exchange']),
  limitReached: new SyncHook(['reached']),
  keyRefused: new SyncHook(['refused']),
  close: new AsyncSeriesHook([]),
});

/** Creates a new, unsealed set of hooks. */
export const createHooks = (): Hooks => {
  const hooks = createNamedHooks();
  const aliases = Object.entries(renamedHooks).map(([old, name]) => [old, { value: hooks[name] }] as const);
  return Object.defineProperties(hooks, Object.fromEntries(aliases)) as Hooks;
};
