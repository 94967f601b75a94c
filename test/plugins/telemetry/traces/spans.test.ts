import * as api from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { describe, expect, it } from 'vitest';
import type { AttemptRecord, EventRecord, RequestRecord } from '../../../../plugins/telemetry/traces/records.ts';
import { createSpans } from '../../../../plugins/telemetry/traces/thread/spans.ts';

const timeOrigin = 1_700_000_000_000.25;
const resource = resourceFromAttributes({ 'service.name': 'test' });
const spans = createSpans({ api, resource, scope: 'gatewright', timeOrigin });

const traceId = 'a'.repeat(32);
const [clientSpan, requestSpan, attemptSpan] = ['b'.repeat(16), 'c'.repeat(16), 'd'.repeat(16)];
const long = 'long '.repeat(100);
const events = Array.from(
  { length: 130 },
  (_each, at): EventRecord => ['gatewright.retry', 20 + at, { 'gatewright.path': long, 'gatewright.retry': at }],
);

const request = (failure: Partial<{ status: number; endedAt: number }> = {}): RequestRecord => [
  'request',
  [traceId, requestSpan, clientSpan, 'vendor=value'],
  'POST',
  '/chat/completions',
  'chat',
  long,
  10.125,
  failure.endedAt ?? 200.5,
  failure.status ?? 200,
  null,
  'main@1',
  'MISS',
  events,
];

const attempt = (error: string | null = null, streamFailure: string | null = null): AttemptRecord => [
  'attempt',
  [traceId, attemptSpan, requestSpan, 'vendor=value'],
  true,
  false,
  'converse',
  'bedrock',
  'http://localhost',
  'asked',
  '/targets/0',
  long,
  2,
  11,
  12.5,
  200,
  error,
  streamFailure,
  'answered',
  [21, 9, 4, 0, null, 12],
  ['stop', long],
];

/** What the SDK makes of the same, through its own spans. */
const ofSdk = (own: ReadableSpan, start: (tracer: api.Tracer, parent: api.Context) => api.Span): ReadableSpan => {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({
    resource,
    idGenerator: { generateTraceId: () => traceId, generateSpanId: () => own.spanContext().spanId },
    spanLimits: { attributeValueLengthLimit: 256 },
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
  });
  const parent = api.trace.setSpanContext(api.ROOT_CONTEXT, {
    traceId,
    spanId: own.parentSpanContext?.spanId ?? '',
    traceFlags: api.TraceFlags.SAMPLED,
    traceState: api.createTraceState('vendor=value'),
    ...(own.kind === api.SpanKind.SERVER ? { isRemote: true } : {}),
  });
  start(provider.getTracer('gatewright'), parent);
  const [span] = exporter.getFinishedSpans();
  if (span === undefined) throw new Error('The SDK has made no span.');
  return span;
};

const shown = (span: ReadableSpan) => ({
  ...Object.fromEntries(
    (
      [
        'name',
        'kind',
        'startTime',
        'endTime',
        'duration',
        'ended',
        'status',
        'attributes',
        'links',
        'resource',
        'droppedAttributesCount',
        'droppedEventsCount',
        'droppedLinksCount',
      ] as const
    ).map((member) => [member, span[member]]),
  ),
  scope: span.instrumentationScope.name,
  events: span.events.map(({ name, time, attributes }) => ({ name, time, attributes })),
  parent: [span.parentSpanContext?.spanId, span.parentSpanContext?.isRemote],
  own: [span.spanContext().traceId, span.spanContext().spanId, span.spanContext().traceFlags],
  state: span.spanContext().traceState?.serialize(),
});

describe('spans of records', () => {
  it('are those that the SDK makes of the same request', () => {
    const own = spans.ofRequest(request());
    const sdk = ofSdk(own, (tracer, parent) => {
      const span = tracer.startSpan(
        'POST chat',
        { kind: api.SpanKind.SERVER, startTime: timeOrigin + 10.125, attributes: { 'http.request.method': 'POST' } },
        parent,
      );
      span.setAttributes({
        'url.path': '/chat/completions',
        'gatewright.endpoint': 'chat',
        'gatewright.trace_id': long,
        'http.response.status_code': 200,
        'gatewright.plan': 'main@1',
        'gatewright.cache.status': 'MISS',
      });
      for (const [name, at, attributes] of events) span.addEvent(name, attributes, timeOrigin + at);
      span.end(timeOrigin + 200.5);
      return span;
    });
    expect(shown(own)).toEqual(shown(sdk));
  });

  it('are those that the SDK makes of the same attempt', () => {
    const own = spans.ofAttempt(attempt(null, 'stream-cut'));
    if (own === undefined) throw new Error('The attempt has no span.');
    const sdk = ofSdk(own, (tracer, parent) => {
      const startTime = timeOrigin + 11;
      const span = tracer.startSpan('chat asked', { kind: api.SpanKind.CLIENT, startTime }, parent);
      span.setAttributes({
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'aws.bedrock',
        'server.address': 'localhost',
        'server.port': 80,
        'gen_ai.request.model': 'asked',
        'gatewright.target': long,
        'gatewright.path': '/targets/0',
        'gatewright.attempt': 2,
        'http.response.status_code': 200,
        'gen_ai.response.model': 'answered',
        'gen_ai.usage.input_tokens': 21,
        'gen_ai.usage.output_tokens': 9,
        'gen_ai.usage.cache_read.input_tokens': 4,
        'gatewright.cost.nano_usd': 12,
        'gen_ai.response.finish_reasons': ['stop', long],
        'error.type': 'stream-cut',
      });
      span.setStatus({ code: api.SpanStatusCode.ERROR });
      span.end(timeOrigin + 12.5);
      return span;
    });
    expect(shown(own)).toEqual(shown(sdk));
  });

  it('never end before they begin, and have failed where the server has', () => {
    const early = spans.ofRequest(request({ endedAt: 5 }));
    expect([early.endTime, early.duration]).toEqual([early.startTime, [0, 0]]);
    const codes = [200, 404, 503].map((status) => spans.ofRequest(request({ status })).status.code);
    expect(codes).toEqual([api.SpanStatusCode.UNSET, api.SpanStatusCode.UNSET, api.SpanStatusCode.ERROR]);
    expect(spans.ofRequest(request({ status: 503 })).attributes['error.type']).toBe('503');
    expect(spans.ofAttempt(attempt('429'))?.attributes['error.type']).toBe('429');
  });
});
