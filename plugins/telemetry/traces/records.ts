import type { Operation } from '../../sdk/exchange.ts';

/**
 * What the thread is told of requests, as tuples, of which one or two are made for each request. Times are milliseconds of
 * the runtime's clock; what is not known is null.
 */
export type TelemetryRecord = AttemptRecord | RequestRecord;

/** What is written: of some attempts, the thread reads itself what they used. */
export type WrittenRecord = TelemetryRecord | UnreadRecord;

/** An attempt that has ended. */
export type AttemptRecord = readonly [
  kind: 'attempt',
  /** Null where it has no span. */
  place: SpanPlace | null,
  isMeasured: boolean,
  /** Whether the names in its plan are the caller's. */
  isCallers: boolean,
  operation: Operation,
  provider: string,
  /** `https://host[:port]`. */
  origin: string,
  askedModel: string | null,
  path: string,
  target: string,
  attempt: number,
  startedAt: number,
  endedAt: number,
  /** The upstream's. */
  status: number | null,
  /** `error.type`. */
  error: string | null,
  /** Why its stream failed after it had begun. */
  streamFailure: string | null,
  /** The model that answered; empty where that is not known. */
  model: string,
  usage: UsedTokens | null,
  finishReasons: readonly string[] | null,
];

/** An attempt whose request and answer were copied, in this order, beside the record; without the model, usage and reasons. */
export type UnreadRecord = readonly [
  kind: 'unread',
  attempt: AttemptRecord,
  /** The id of the dialect of both. */
  dialect: string,
  /** The provider's name in public price lists. */
  listedAs: string,
  requestBytes: number,
  answerBytes: number,
];

/** A request whose answer has ended. */
export type RequestRecord = readonly [
  kind: 'request',
  place: SpanPlace,
  method: string,
  path: string,
  endpoint: string,
  /** The id in `x-gw-trace-id`. */
  gatewayTraceId: string,
  startedAt: number,
  endedAt: number,
  status: number,
  cause: string | null,
  plan: string | null,
  cacheStatus: string | null,
  events: readonly EventRecord[],
];

/** The ids of a span; `state` is the client's `tracestate`. */
export type SpanPlace = readonly [traceId: string, spanId: string, parentId: string | null, state: string | null];

export type EventRecord = readonly [
  name: string,
  at: number,
  attributes: Readonly<Record<string, string | number | boolean>>,
];

/** Tokens, and the cost in billionths of a US dollar. */
export type UsedTokens = readonly [
  input: number,
  output: number,
  cacheRead: number | null,
  cacheWritten: number | null,
  reasoning: number | null,
  nanoUsd: number | null,
];

/** Texts that callers and providers choose are cut to this. */
export const longestValue = 256;
