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
 * A stage's decision about the events that it was given and that have not gone on: those that it holds, and the one
 * that it was just given. `keep` of them, counted from the end, stay held; none if absent. Events that it does not read
 * stay behind those that came before them. The events of `replace` take the place of all that are not kept. `refuse`
 * ends the stream: before its first content as an answer that may be retried, later with an error event.
 */
export type Step =
  | { readonly do: 'release'; readonly keep?: number }
  | { readonly do: 'hold' }
  | { readonly do: 'replace'; readonly events: readonly AnswerEvent[]; readonly keep?: number }
  | { readonly do: 'refuse'; readonly report: ErrorReport };

/** One stage of one stream. While a promise is pending the upstream is paused, and nothing is given to the stage. */
export interface StreamStage {
  push(event: AnswerEvent): Step | Promise<Step>;
  /** Nothing more comes, after the answer's last event. It may not hold anything back. */
  end(): Step | Promise<Step>;
}

/**
 * Makes the stages of streams whose answers the gateway can read. Frames go to the client as received until a stage
 * first replaces events; from then on the client's dialect writes all of them anew.
 */
export interface StreamStageFactory {
  /** The kinds of events that its stages are given. */
  readonly reads: readonly AnswerEvent['kind'][];
  /** The most that they hold back: nothing, so that the answer is never delayed; so many characters of each text; or all. */
  readonly holds: 'none' | 'all' | { readonly chars: number };
  create(exchange: Exchange): StreamStage;
}

/** Where plugins register. All hooks are sealed when plans are linked; a later tap throws. */
export interface Hooks {
  /** Provides a thing by its name; called when a plan is linked. */
  readonly provider: Named<Provider>;
  /** By the id of the dialect. */
  readonly dialect: Named<Dialect | LazyDialect>;
  /** By the id of the check, as configs name it. */
  readonly check: Named<Guardrail>;
  /** By the mode that configs name. */
  readonly cache: Named<CacheDefinition>;
  /** By the name that `balance` of a strategy has. */
  readonly chooser: Named<ChooserDefinition>;
  /** Once per request, before it is routed: authentication and admission. An answer ends the request. */
  readonly beforeRoute: AsyncSeriesBailHook<[Exchange], GatewayResponse | undefined>;
  /** Once per request, when its plan is chosen and before the plan runs: a tap may give the exchange another request. */
  readonly request: AsyncSeriesWaterfallHook<[Exchange]>;
  /**
   * Once per request, with the answer before it is written: a tap may give another one. The tap discards a stream in whose place
   * it gives one that is not made of it; a body that is there as a whole takes its place without that.
   */
  readonly response: AsyncSeriesWaterfallHook<[GatewayResponse, Exchange]>;
  /** Per leaf, before its attempts: limits. An answer replaces the leaf's. */
  readonly admit: AsyncSeriesBailHook<[LeafNode, Exchange], GatewayResponse | undefined>;
  /** Per attempt, with the request as it goes to the provider: a tap may give another one. */
  readonly providerRequest: AsyncSeriesWaterfallHook<[UpstreamRequest, Exchange, Scope]>;
  /**
   * Per attempt, with the answer as it came from the provider: a tap may give another one. The tap discards the body in whose place
   * it gives one that is not made of it; a failure takes its place without that.
   */
  readonly providerResponse: AsyncSeriesWaterfallHook<[UpstreamAnswer, Exchange, Scope]>;
  /** Collects the stages of streams when a plan is linked. */
  readonly stream: SyncHook<[stages: StreamStageFactory[]]>;
  /**
   * Just before an attempt is sent. A tap may add headers that do not change the answer, such as those of a trace: caches
   * do not compare them.
   */
  readonly attempting: SyncHook<[AttemptStart, Exchange]>;
  /** Notices, for observation only. */
  readonly attempted: Notice<'attempted'>;
  /**
   * Asks a plugin whether it wants `usageRecorded` for a request: a tap answers true, or undefined. Only the taps of plugins
   * that tap `usageRecorded` under the same name count; a plugin that does not tap this wants it for every request.
   */
  readonly usageWanted: SyncBailHook<[Exchange], true | undefined>;
  /** Reports at the end of each attempt what it used. Where it is wanted, usage is read from answers, and requested for streams. */
  readonly usageRecorded: Notice<'settled'>;
  /**
   * Gives a plugin an answer to read the usage from itself, by the id of the dialect. It takes the place of `usageRecorded` for
   * small answers that are neither translated nor streams, where every plugin that taps `usageRecorded` taps this too, under the
   * same name, and nothing else of the gateway needs to know what the attempt used.
   */
  readonly deferredUsage: HookMap<SyncHook<[UnreadAnswer, Exchange]>>;
  /** @deprecated Tap `usageWanted`, which is the same hook. */
  readonly settles: Hooks['usageWanted'];
  /** @deprecated Tap `usageRecorded`, which is the same hook. */
  readonly settled: Hooks['usageRecorded'];
  /** @deprecated Tap `deferredUsage`, which is the same hook. */
  readonly unread: Hooks['deferredUsage'];
  /** A leaf waits, and sends its request again. */
  readonly retried: Notice<'retried'>;
  /** A fallback went on to its next branch. */
  readonly fellBack: Notice<'fellBack'>;
  /** A fallback asks its next branch beside one that is slow. */
  readonly hedged: Notice<'hedged'>;
  /** A hedge has ended, or was not begun. */
  readonly hedgeEnded: Notice<'hedgeEnded'>;
  /** A circuit of a target opened, closed or began to be tried. */
  readonly circuitChanged: Notice<'circuitChanged'>;
  /** A target was asked whether it works again. Its exchange is no client's, as is that of the change of circuit which follows. */
  readonly probed: SyncHook<[ProbeReport, Exchange]>;
  /** Reports the result of each hook or guardrail, also in the background: then it may come after the answer. */
  readonly judged: SyncHook<[JudgedHook, Exchange]>;
  /**
   * Reports the copy that a mirror made of a request, when its answer has ended, with the exchange of the copy; or that none was
   * sent, with that of the request.
   */
  readonly mirrored: SyncHook<[MirrorReport, Exchange]>;
  /**
   * Reports the gateway's own time of a request: the milliseconds from its head until its answer, or for a stream its first
   * content, was there to be sent, without those in which it waited for upstreams, for services that checks asked, between retries
   * or for its client's body. A tap has all requests measured.
   */
  readonly overheadMeasured: SyncHook<[ms: number, exchange: Exchange]>;
  /** The answer, and for a stream its end. */
  readonly completed: SyncHook<[GatewayResponse, Exchange, StreamEnd]>;
  /** A tap or another observer has thrown, or a background hook has failed: an error that costs the request nothing. */
  readonly failed: SyncHook<[Error, Exchange]>;
  /** A counter of a limit has reached the alert of its policy, or its limit: once in each of its windows. */
  readonly limitReached: SyncHook<[LimitReached]>;
  /** A service key was refused: it is nobody's, or no longer valid. As often as somebody sends one. */
  readonly keyRefused: SyncHook<[RefusedKey]>;
  /**
   * The gateway ends: a plugin closes what it has open. The taps of a plugin, which have one name, run in their order; no plugin
   * waits for another.
   */
  readonly close: AsyncSeriesHook<[]>;
}

const named = <Thing>(): Named<Thing> => new HookMap(() => new SyncBailHook<[], Thing>());

/** The names that hooks had before, and those that they have. The old ones still work, and are not enumerated. */
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

/** Makes a new, unsealed set of hooks. */
export const createHooks = (): Hooks => {
  const hooks = createNamedHooks();
  const aliases = Object.entries(renamedHooks).map(([old, name]) => [old, { value: hooks[name] }] as const);
  return Object.defineProperties(hooks, Object.fromEntries(aliases)) as Hooks;
};
