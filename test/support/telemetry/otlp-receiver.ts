import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { decodeMetrics, decodeTraces, type WireAttribute, type WireMetric, type WireSpan } from './otlp-wire.ts';

export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** A span as it was received. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: 'server' | 'client' | 'other';
  /** Milliseconds. */
  readonly ms: number;
  readonly attributes: Attributes;
  readonly events: readonly { readonly name: string; readonly attributes: Attributes }[];
  readonly failed: boolean;
}

/** One series of a histogram. */
export interface ReceivedPoint {
  readonly metric: string;
  readonly unit: string;
  readonly attributes: Attributes;
  readonly count: number;
  readonly sum: number;
  /** The upper bounds of its buckets, except the last. */
  readonly bounds: readonly number[];
}

export interface OtlpReceiver {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** The latest point of each series. */
  readonly points: readonly ReceivedPoint[];
  /** The attributes of the sending processes, in the order of the exports of each signal. */
  readonly resources: { readonly traces: readonly Attributes[]; readonly metrics: readonly Attributes[] };
  /** The headers of all exports. */
  readonly headers: readonly IncomingHttpHeaders[];
  /** Everything that was received, as text. */
  readonly text: () => string;
  close(): void;
}

const plain = (attributes: readonly WireAttribute[]): Attributes =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ??
        value.boolValue ??
        value.arrayValue?.values.map(({ stringValue = '' }) => stringValue) ??
        Number(value.intValue ?? value.doubleValue),
    ]),
  );

const kinds = new Map([
  [2, 'server'],
  [3, 'client'],
] as const);

const toSpan = (span: WireSpan): ReceivedSpan => ({
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId || undefined,
  name: span.name,
  kind: [...kinds].find(([kind]) => kind === span.kind)?.[1] ?? 'other',
  ms: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
  attributes: plain(span.attributes),
  events: span.events.map(({ name, attributes }) => ({ name, attributes: plain(attributes) })),
  failed: span.status?.code === 2,
});

const toPoints = ({ name, unit, histogram }: WireMetric): readonly ReceivedPoint[] =>
  (histogram?.dataPoints ?? []).map(({ attributes, count, sum, explicitBounds }) => ({
    metric: name,
    unit,
    attributes: plain(attributes),
    count: Number(count),
    sum,
    bounds: explicitBounds,
  }));

export interface ReceiverOptions {
  /** Whether it accepts exports without answering. */
  readonly hangs?: boolean;
  /** Defaults to 200. */
  readonly status?: number;
  /** The body of the answer. Defaults to an empty one. */
  readonly answer?: string | Uint8Array;
}

/** Starts a receiver of OTLP over HTTP with Protocol Buffers. */
export const startOtlpReceiver = async ({
  hangs = false,
  status = 200,
  answer = '',
}: ReceiverOptions = {}): Promise<OtlpReceiver> => {
  const spans: ReceivedSpan[] = [];
  let points: readonly ReceivedPoint[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const texts: string[] = [];
  const resources: { readonly traces: Attributes[]; readonly metrics: Attributes[] } = { traces: [], metrics: [] };
  const server = createServer(async (request, response) => {
    headers.push(request.headers);
    const body = await buffer(request);
    texts.push(body.toString());
    if (request.url?.endsWith('/traces') === true) {
      const { resourceSpans } = decodeTraces(body);
      resources.traces.push(...resourceSpans.map(({ resource }) => plain(resource.attributes)));
      spans.push(...resourceSpans.flatMap((each) => each.scopeSpans.flatMap((one) => one.spans.map(toSpan))));
    } else {
      const { resourceMetrics } = decodeMetrics(body);
      resources.metrics.push(...resourceMetrics.map(({ resource }) => plain(resource.attributes)));
      points = resourceMetrics.flatMap((each) => each.scopeMetrics.flatMap((one) => one.metrics.flatMap(toPoints)));
    }
    if (!hangs) response.writeHead(status, { 'content-type': 'application/x-protobuf' }).end(answer);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    get points() {
      return points;
    },
    resources,
    headers,
    text: () => texts.join('\n'),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
