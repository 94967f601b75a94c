import type { Attributes, HrTime, SpanContext, SpanKind } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { type AttemptRecord, type EventRecord, longestValue, type RequestRecord, type SpanPlace } from '../records.ts';
import { destinationFacts } from './destination-facts.ts';
import type { Packages } from './packages.ts';

export interface SpanOptions {
  readonly api: Packages['api'];
  readonly resource: ReadableSpan['resource'];
  readonly scope: string;
  /** Milliseconds since the epoch of the zero of the runtime's clock. */
  readonly timeOrigin: number;
}

/** The spans of records. */
export interface Spans {
  /** Undefined where the attempt has none. */
  ofAttempt(record: AttemptRecord): ReadableSpan | undefined;
  ofRequest(record: RequestRecord): ReadableSpan;
}

interface OwnSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly place: SpanPlace;
  /** Whether its parent is of another process. */
  readonly hasRemoteParent: boolean;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly hasFailed: boolean;
  readonly attributes: Attributes;
  readonly events?: readonly EventRecord[];
}

/** The newest so many of a span's events are kept, as OpenTelemetry has it. */
const mostEvents = 128;

const microsOfSecond = 1_000_000;

/** Milliseconds as seconds and nanoseconds, of which microseconds are known. */
const toHrTime = (ms: number): HrTime => {
  const micros = Math.round(ms * 1000);
  return [Math.floor(micros / microsOfSecond), (micros % microsOfSecond) * 1000];
};

const cut = (text: string): string => text.slice(0, longestValue);

const cutValues = (attributes: Attributes): Attributes => {
  for (const [key, value] of Object.entries(attributes))
    if (typeof value === 'string' && value.length > longestValue) attributes[key] = cut(value);
  return attributes;
};

const given = <Value>(key: string, value: Value | null): Readonly<Record<string, Value>> =>
  value === null ? {} : { [key]: value };

/** What an attempt used, as far as it is known. */
const usageFacts = ([, , , , , , , , , , , , , , , , model, usage]: AttemptRecord): Attributes => {
  if (usage === null) return {};
  const [input, output, cacheRead, cacheWritten, reasoning, nanoUsd] = usage;
  return {
    ...(model === '' ? {} : { 'gen_ai.response.model': model }),
    'gen_ai.usage.input_tokens': input,
    'gen_ai.usage.output_tokens': output,
    ...given('gen_ai.usage.cache_read.input_tokens', cacheRead),
    ...given('gen_ai.usage.cache_creation.input_tokens', cacheWritten || null),
    ...given('gen_ai.usage.reasoning.output_tokens', reasoning),
    ...given('gatewright.cost.nano_usd', nanoUsd),
  };
};

const attemptFacts = (record: AttemptRecord): Attributes => {
  const [, , , , , , , askedModel, path, target, attempt, , , status, error, streamFailure, , , finishReasons] = record;
  return {
    ...destinationFacts(record),
    ...given('gen_ai.request.model', askedModel || null),
    'gatewright.target': target,
    'gatewright.path': path,
    'gatewright.attempt': attempt,
    ...given('http.response.status_code', status),
    ...usageFacts(record),
    ...given('gen_ai.response.finish_reasons', finishReasons?.map(cut) ?? null),
    ...given('error.type', streamFailure ?? error),
  };
};

const requestFacts = (record: RequestRecord): Attributes => {
  const [, , method, path, endpoint, gatewayTraceId, , , status, cause, plan, cacheStatus] = record;
  return {
    'http.request.method': method,
    'url.path': path,
    'gatewright.endpoint': endpoint,
    'gatewright.trace_id': gatewayTraceId,
    'http.response.status_code': status,
    ...given('gatewright.plan', plan),
    ...given('gatewright.cache.status', cacheStatus),
    ...given('error.type', cause ?? (status >= 500 ? String(status) : null)),
  };
};

/**
 * Makes spans of records. Those of the SDK cannot be given ids, and are made for code that changes them while it runs, which
 * costs several times as much.
 */
export const createSpans = ({ api, resource, scope, timeOrigin }: SpanOptions): Spans => {
  const { SpanKind, SpanStatusCode, TraceFlags, createTraceState } = api;
  const instrumentationScope = { name: scope };

  const contextsOf = ({ place: [traceId, spanId, parentId, state], hasRemoteParent }: OwnSpan) => {
    const shared = {
      traceId,
      traceFlags: TraceFlags.SAMPLED,
      ...(state === null ? {} : { traceState: createTraceState(state) }),
    };
    const own: SpanContext = { ...shared, spanId };
    if (parentId === null) return { own };
    const parent: SpanContext = { ...shared, spanId: parentId, ...(hasRemoteParent ? { isRemote: true } : {}) };
    return { own, parent };
  };

  const toSpan = (span: OwnSpan): ReadableSpan => {
    const { name, kind, startedAt, hasFailed, attributes, events = [] } = span;
    const { own, parent } = contextsOf(span);
    const endedAt = Math.max(startedAt, span.endedAt);
    const kept = events.slice(-mostEvents);
    return {
      name,
      kind,
      spanContext: () => own,
      ...(parent === undefined ? {} : { parentSpanContext: parent }),
      startTime: toHrTime(timeOrigin + startedAt),
      endTime: toHrTime(timeOrigin + endedAt),
      duration: toHrTime(endedAt - startedAt),
      ended: true,
      status: { code: hasFailed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
      attributes: cutValues(attributes),
      links: [],
      events: kept.map(([event, at, facts]) => ({
        name: event,
        time: toHrTime(timeOrigin + at),
        attributes: cutValues({ ...facts }),
      })),
      resource,
      instrumentationScope,
      droppedAttributesCount: 0,
      droppedEventsCount: events.length - kept.length,
      droppedLinksCount: 0,
    };
  };

  return {
    ofAttempt(record) {
      const [, place, , , , , , askedModel, , , , startedAt, endedAt, , error, streamFailure] = record;
      if (place === null) return undefined;
      const attributes = attemptFacts(record);
      const operation = attributes['gen_ai.operation.name'];
      return toSpan({
        name: askedModel ? `${operation} ${askedModel}` : String(operation),
        kind: SpanKind.CLIENT,
        place,
        hasRemoteParent: false,
        startedAt,
        endedAt,
        hasFailed: error !== null || streamFailure !== null,
        attributes,
      });
    },
    ofRequest(record) {
      const [, place, method, , endpoint, , startedAt, endedAt, status, , , , events] = record;
      return toSpan({
        name: `${method} ${endpoint}`,
        kind: SpanKind.SERVER,
        place,
        hasRemoteParent: true,
        startedAt,
        endedAt,
        // What a client did wrong is no error of the server.
        hasFailed: status >= 500,
        attributes: requestFacts(record),
        events,
      });
    },
  };
};
