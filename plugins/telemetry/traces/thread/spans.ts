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

const cut = (text: string): string => (text.length > longestValue ? text.slice(0, longestValue) : text);

const cutValues = (attributes: Attributes): Attributes => {
  for (const [key, value] of Object.entries(attributes)) if (typeof value === 'string') attributes[key] = cut(value);
  return attributes;
};

type Fact = string | number | readonly string[] | null;

/** Adds what is known. */
const add = (facts: Attributes, name: string, value: Fact): void => {
  if (typeof value === 'string') facts[name] = cut(value);
  else if (typeof value === 'number') facts[name] = value;
  else if (value !== null) facts[name] = value.map(cut);
};

/** What an attempt used, as far as it is known. */
const addUsage = (facts: Attributes, [, , , , , , , , , , , , , , , , model, usage]: AttemptRecord): void => {
  if (usage === null) return;
  const [input, output, cacheRead, cacheWritten, reasoning, nanoUsd] = usage;
  add(facts, 'gen_ai.response.model', model || null);
  add(facts, 'gen_ai.usage.input_tokens', input);
  add(facts, 'gen_ai.usage.output_tokens', output);
  add(facts, 'gen_ai.usage.cache_read.input_tokens', cacheRead);
  add(facts, 'gen_ai.usage.cache_creation.input_tokens', cacheWritten || null);
  add(facts, 'gen_ai.usage.reasoning.output_tokens', reasoning);
  add(facts, 'gatewright.cost.nano_usd', nanoUsd);
};

const attemptFacts = (record: AttemptRecord): Attributes => {
  const [, , , , , , , askedModel, path, target, attempt, , , status, error, streamFailure, , , finishReasons] = record;
  const facts: Attributes = destinationFacts(record);
  add(facts, 'gen_ai.request.model', askedModel || null);
  add(facts, 'gatewright.target', target);
  add(facts, 'gatewright.path', path);
  add(facts, 'gatewright.attempt', attempt);
  add(facts, 'http.response.status_code', status);
  addUsage(facts, record);
  add(facts, 'gen_ai.response.finish_reasons', finishReasons);
  add(facts, 'error.type', streamFailure ?? error);
  return facts;
};

const requestFacts = (record: RequestRecord): Attributes => {
  const [, , method, path, endpoint, gatewayTraceId, , , status, cause, plan, cacheStatus] = record;
  const facts: Attributes = {};
  add(facts, 'http.request.method', method);
  add(facts, 'url.path', path);
  add(facts, 'gatewright.endpoint', endpoint);
  add(facts, 'gatewright.trace_id', gatewayTraceId);
  add(facts, 'http.response.status_code', status);
  add(facts, 'gatewright.plan', plan);
  add(facts, 'gatewright.cache.status', cacheStatus);
  add(facts, 'error.type', cause ?? (status >= 500 ? String(status) : null));
  return facts;
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
      attributes,
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
