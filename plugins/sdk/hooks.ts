import {
  AsyncSeriesBailHook,
  AsyncSeriesHook,
  AsyncSeriesWaterfallHook,
  HookMap,
  SyncBailHook,
  SyncHook,
} from 'tapable';
import type { LeafNode } from '../../schema/plan.ts';
import type { TrailEvent } from '../../schema/trail.ts';
import type { CacheDefinition } from './cache.ts';
import type { Dialect, Frame, LazyDialect } from './dialect.ts';
import type { Exchange } from './exchange.ts';
import type { Guardrail } from './guardrail.ts';
import type { JudgedHook } from './hook-result.ts';
import type { GatewayResponse, Scope, StreamEnd, UpstreamAnswer, UpstreamRequest } from './http.ts';
import type { Provider } from './provider.ts';

type Named<Thing> = HookMap<SyncBailHook<[], Thing>>;
type EventOf<Kind extends TrailEvent['kind']> = Extract<TrailEvent, { kind: Kind }>;
type Notice<Kind extends TrailEvent['kind']> = SyncHook<[EventOf<Kind>, Exchange]>;

/** One stage of a stream: sees every frame, and may replace or hold it. */
export interface StreamStage {
  /** Passes frames on by calling `emit`, none or many times. */
  part(frame: Frame, emit: (frame: Frame) => void): void;
  end(emit: (frame: Frame) => void): void;
}

export interface StreamStageFactory {
  create(response: GatewayResponse, exchange: Exchange): StreamStage;
}

/** Where plugins register. All hooks are sealed when plans are linked; a later tap throws. */
export interface Hooks {
  /** Provides a thing by its name; called when a plan is linked. */
  readonly provider: Named<Provider>;
  readonly dialect: Named<Dialect | LazyDialect>;
  readonly check: Named<Guardrail>;
  /** By the mode that configs name. */
  readonly cache: Named<CacheDefinition>;
  /** Once per request, before it is routed: authentication and admission. An answer ends the request. */
  readonly beforeRoute: AsyncSeriesBailHook<[Exchange], GatewayResponse | undefined>;
  readonly request: AsyncSeriesWaterfallHook<[Exchange]>;
  readonly response: AsyncSeriesWaterfallHook<[GatewayResponse, Exchange]>;
  /** Per leaf, before its attempts: limits. An answer replaces the leaf's. */
  readonly admit: AsyncSeriesBailHook<[LeafNode, Exchange], GatewayResponse | undefined>;
  readonly providerRequest: AsyncSeriesWaterfallHook<[UpstreamRequest, Exchange, Scope]>;
  readonly providerResponse: AsyncSeriesWaterfallHook<[UpstreamAnswer, Exchange, Scope]>;
  /** Collects the stages of streams when a plan is linked. */
  readonly stream: SyncHook<[stages: StreamStageFactory[]]>;
  /** Notices, for observation only. */
  readonly attempted: Notice<'attempted'>;
  /** What each attempt used, at its end. While it is tapped, usage is read from every answer, and requested for streams. */
  readonly settled: Notice<'settled'>;
  readonly retried: Notice<'retried'>;
  readonly fellBack: Notice<'fellBack'>;
  readonly circuitChanged: Notice<'circuitChanged'>;
  /** What each hook or guardrail found, also in the background: then it may come after the answer. */
  readonly judged: SyncHook<[JudgedHook, Exchange]>;
  /** The answer, and for a stream its end. */
  readonly completed: SyncHook<[GatewayResponse, Exchange, StreamEnd]>;
  readonly failed: SyncHook<[Error, Exchange]>;
  readonly close: AsyncSeriesHook<[]>;
}

const named = <Thing>(): Named<Thing> => new HookMap(() => new SyncBailHook<[], Thing>());

/** A new, unsealed set of hooks. */
export const createHooks = (): Hooks => ({
  provider: named<Provider>(),
  dialect: named<Dialect | LazyDialect>(),
  check: named<Guardrail>(),
  cache: named<CacheDefinition>(),
  beforeRoute: new AsyncSeriesBailHook(['exchange']),
  request: new AsyncSeriesWaterfallHook(['exchange']),
  response: new AsyncSeriesWaterfallHook(['response', 'exchange']),
  admit: new AsyncSeriesBailHook(['leaf', 'exchange']),
  providerRequest: new AsyncSeriesWaterfallHook(['request', 'exchange', 'scope']),
  providerResponse: new AsyncSeriesWaterfallHook(['answer', 'exchange', 'scope']),
  stream: new SyncHook(['stages']),
  attempted: new SyncHook(['event', 'exchange']),
  settled: new SyncHook(['event', 'exchange']),
  retried: new SyncHook(['event', 'exchange']),
  fellBack: new SyncHook(['event', 'exchange']),
  circuitChanged: new SyncHook(['event', 'exchange']),
  judged: new SyncHook(['event', 'exchange']),
  completed: new SyncHook(['response', 'exchange', 'end']),
  failed: new SyncHook(['error', 'exchange']),
  close: new AsyncSeriesHook([]),
});
