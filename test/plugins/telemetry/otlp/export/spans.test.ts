import * as api from '@opentelemetry/api';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProtoWriter } from '../../../../../plugins/telemetry/otlp/export/proto-writer.ts';
import { createSpans } from '../../../../../plugins/telemetry/otlp/export/spans.ts';
import type {
  AttemptRecord,
  EventRecord,
  RequestRecord,
  SpanRecord,
} from '../../../../../plugins/telemetry/otlp/records/records.ts';
import { lawRuns } from '../../../../support/run/law-runs.ts';
import { decodeTraces, type WireAttribute, type WireSpan } from '../../../../support/telemetry/otlp-wire.ts';
import { sampleAttempt, sampleRequest } from '../../../../support/telemetry/telemetry-records.ts';

const timeOrigin = 1_700_000_000_000.25;
const spans = createSpans({ createTraceState: api.createTraceState, timeOrigin });

const traceId = 'a'.repeat(32);
const [clientSpan, requestSpan, attemptSpan] = ['b'.repeat(16), 'c'.repeat(16), 'd'.repeat(16)];
const long = 'long '.repeat(100);
const events = Array.from(
  { length: 130 },
  (_each, at): EventRecord => ({
    name: 'gatewright.retry',
    at: 20 + at,
    attributes: { 'gatewright.path': long, 'gatewright.retry': at },
  }),
);

const request = (members: Partial<RequestRecord> = {}): RequestRecord =>
  sampleRequest({
    place: { traceId, spanId: requestSpan, parentId: clientSpan, state: 'vendor=value' },
    gatewayTraceId: long,
    scheme: 'https',
    startedAt: 10.125,
    endedAt: 200.5,
    plan: 'main@1',
    cacheStatus: 'SEMANTIC MISS',
    cacheSimilarity: 0.9375,
    events,
    ...members,
  });

const attempt = (members: Partial<AttemptRecord> = {}): AttemptRecord =>
  sampleAttempt({
    place: { traceId, spanId: attemptSpan, parentId: requestSpan, state: 'vendor=value' },
    provider: 'bedrock',
    origin: 'http://localhost',
    askedModel: 'asked',
    path: '/targets/0',
    target: long,
    attempt: 2,
    startedAt: 11,
    endedAt: 12.5,
    model: 'answered',
    usage: { input: 21, output: 9, cacheRead: 4, cacheWritten: 0, reasoning: null, nanoUsd: 12 },
    finishReasons: ['stop', long],
    ...members,
  });

const onlySpan = (request: Uint8Array): WireSpan => {
  const [span, ...others] = decodeTraces(request).resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap((each) => each.spans),
  );
  if (span === undefined || others.length > 0) throw new Error('There is not one span.');
  return span;
};

/** The span of a record, as a receiver decodes it. */
const toSpan = (record: SpanRecord): WireSpan => {
  const [to, request] = [new ProtoWriter(), new ProtoWriter()];
  const { place } = record;
  if (place === null) throw new Error('It has no span.');
  spans.write(to, record, place);
  const ofResource = request.begin(1);
  const ofScope = request.begin(2);
  request.fields(to.part(0, to.length));
  request.end(ofScope);
  request.end(ofResource);
  return onlySpan(request.part(0, request.length));
};

const findAttribute = ({ attributes }: WireSpan, wanted: string): WireAttribute['value'] | undefined =>
  attributes.find(({ key }) => key === wanted)?.value;

/** Makes the order of attributes irrelevant. */
const unordered = (span: WireSpan) => ({
  ...span,
  attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, value])),
});

/** The span that the OpenTelemetry SDK sends for the same data. */
const ofSdk = (
  { spanId, parentId, isRemote }: { readonly spanId: string; readonly parentId: string; readonly isRemote: boolean },
  make: (tracer: api.Tracer, parent: api.Context) => void,
): WireSpan => {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({
    idGenerator: { generateTraceId: () => traceId, generateSpanId: () => spanId },
    spanLimits: { attributeValueLengthLimit: 256 },
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
  });
  const parent = api.trace.setSpanContext(api.ROOT_CONTEXT, {
    traceId,
    spanId: parentId,
    traceFlags: api.TraceFlags.SAMPLED,
    traceState: api.createTraceState('vendor=value'),
    ...(isRemote ? { isRemote } : {}),
  });
  make(provider.getTracer('gatewright'), parent);
  return onlySpan(ProtobufTraceSerializer.serializeRequest(exporter.getFinishedSpans()) ?? Buffer.alloc(0));
};

describe('spans of records', () => {
  it('equal the spans that the SDK creates for the same request', () => {
    const place = { spanId: requestSpan, parentId: clientSpan, isRemote: true };
    const sdk = ofSdk(place, (tracer, parent) => {
      const span = tracer.startSpan(
        'POST chat',
        { kind: api.SpanKind.SERVER, startTime: timeOrigin + 10.125, attributes: { 'http.request.method': 'POST' } },
        parent,
      );
      span.setAttributes({
        'url.path': '/chat/completions',
        'url.scheme': 'https',
        'gatewright.endpoint': 'chat',
        'gatewright.trace_id': long,
        'http.response.status_code': 200,
        'gatewright.plan': 'main@1',
        'gatewright.cache.status': 'SEMANTIC MISS',
        'gatewright.cache.similarity': 0.9375,
      });
      for (const { name, at, attributes } of events) span.addEvent(name, attributes, timeOrigin + at);
      span.end(timeOrigin + 200.5);
    });
    expect(unordered(toSpan(request()))).toEqual(unordered(sdk));
  });

  it('have the name that their client specifies for each of them', () => {
    for (const spanName of ['a step', 'another step', null])
      expect(toSpan(request({ spanName })).name).toBe(spanName ?? 'POST chat');
  });

  it('equal the spans that the SDK creates for the same attempt', () => {
    const place = { spanId: attemptSpan, parentId: requestSpan, isRemote: false };
    const sdk = ofSdk(place, (tracer, parent) => {
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
    });
    const own = attempt({ streamFailure: 'stream-cut' });
    // The second span reuses what many spans have in common.
    for (const span of [toSpan(own), toSpan(own)]) expect(unordered(span)).toEqual(unordered(sdk));
  });

  it('never end before they start, and are errors if the server failed', () => {
    const early = toSpan(request({ endedAt: 5 }));
    expect(early.endTimeUnixNano).toBe(early.startTimeUnixNano);
    const codes = [200, 404, 503].map((status) => toSpan(request({ status })).status?.code);
    expect(codes).toEqual([api.SpanStatusCode.UNSET, api.SpanStatusCode.UNSET, api.SpanStatusCode.ERROR]);
    const failures = [toSpan(request({ status: 503 })), toSpan(attempt({ error: '429' }))];
    expect(failures.map((span) => findAttribute(span, 'error.type'))).toEqual([
      { stringValue: '503' },
      { stringValue: '429' },
    ]);
  });

  it('omit amounts that are not whole safe numbers', () => {
    const amounts = [Number.NaN, Number.POSITIVE_INFINITY, 1e21, 0.5];
    for (const nanoUsd of amounts) {
      const used = { input: 1, output: 2, cacheRead: null, cacheWritten: null, reasoning: null, nanoUsd };
      const span = toSpan(attempt({ usage: used }));
      expect(findAttribute(span, 'gen_ai.usage.input_tokens')).toEqual({ intValue: '1' });
      expect(findAttribute(span, 'gatewright.cost.nano_usd')).toBeUndefined();
    }
  });

  it('contain only the values of their own record, whatever was written before', () => {
    const text = fc.constantFrom('', 'a', 'b', '"}],', '\\', '\u0000', 'é\ud83d');
    const varied = fc.record(
      {
        ...{
          provider: text,
          askedModel: fc.option(text),
          path: text,
          target: text,
          error: fc.option(text),
          model: text,
        },
        ...{ attempt: fc.constantFrom(1, 2), status: fc.constantFrom(null, 1, 200), usage: fc.constant(null) },
        ...{ finishReasons: fc.option(fc.array(text, { maxLength: 3 })) },
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(varied, { maxLength: 20 }), (all) => {
        for (const each of all) {
          const { attributes, status } = unordered(toSpan(attempt(each)));
          const { provider = 'bedrock', askedModel = 'asked', finishReasons = ['stop', long] } = each;
          expect(attributes).toMatchObject({
            'gen_ai.provider.name': { stringValue: provider === 'bedrock' ? 'aws.bedrock' : provider.toWellFormed() },
            ...(askedModel ? { 'gen_ai.request.model': { stringValue: askedModel.toWellFormed() } } : {}),
            ...(finishReasons === null
              ? {}
              : {
                  'gen_ai.response.finish_reasons': {
                    arrayValue: {
                      values: finishReasons.map((reason) => ({ stringValue: reason.slice(0, 256).toWellFormed() })),
                    },
                  },
                }),
          });
          expect(status?.code).toBe((each.error ?? null) === null ? 0 : 2);
        }
      }),
      lawRuns,
    );
  });
});
