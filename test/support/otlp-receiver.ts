import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

type Value = {
  readonly stringValue?: string;
  readonly intValue?: number;
  readonly boolValue?: boolean;
  readonly arrayValue?: { readonly values: readonly { readonly stringValue?: string }[] };
};
interface WireAttribute {
  readonly key: string;
  readonly value: Value & { readonly doubleValue?: number };
}
interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly WireAttribute[];
  readonly events: readonly { readonly name: string; readonly attributes: readonly WireAttribute[] }[];
  readonly status: { readonly code: number };
}
interface WirePoint {
  readonly attributes: readonly WireAttribute[];
  readonly count: number;
  readonly sum: number;
}
interface WireMetric {
  readonly name: string;
  readonly unit: string;
  readonly histogram?: { readonly dataPoints: readonly WirePoint[] };
}
interface Wire {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[] }[];
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly WireMetric[] }[];
  }[];
}

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
}

export interface OtlpReceiver {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** The latest of each series. */
  readonly points: readonly ReceivedPoint[];
  /** The headers of all exports. */
  readonly headers: readonly IncomingHttpHeaders[];
  /** All that was received, as text. */
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
  failed: span.status.code === 2,
});

const toPoints = ({ name, unit, histogram }: WireMetric): readonly ReceivedPoint[] =>
  (histogram?.dataPoints ?? []).map(({ attributes, count, sum }) => ({
    metric: name,
    unit,
    attributes: plain(attributes),
    count: Number(count),
    sum,
  }));

export interface ReceiverOptions {
  /** Takes what is sent, and answers nothing. */
  readonly hangs?: boolean;
  /** 200 if absent. */
  readonly status?: number;
  /** `{}` if absent. */
  readonly answer?: string;
}

/** A receiver of OTLP in JSON over HTTP. */
export const startOtlpReceiver = async ({
  hangs = false,
  status = 200,
  answer = '{}',
}: ReceiverOptions = {}): Promise<OtlpReceiver> => {
  const spans: ReceivedSpan[] = [];
  let points: readonly ReceivedPoint[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const texts: string[] = [];
  const server = createServer(async (request, response) => {
    headers.push(request.headers);
    const wire = (await json(request)) as Wire;
    texts.push(JSON.stringify(wire));
    spans.push(
      ...(wire.resourceSpans ?? []).flatMap((each) => each.scopeSpans.flatMap((one) => one.spans.map(toSpan))),
    );
    const metrics = (wire.resourceMetrics ?? []).flatMap((each) => each.scopeMetrics.flatMap((one) => one.metrics));
    if (metrics.length > 0) points = metrics.flatMap(toPoints);
    if (!hangs) response.writeHead(status, { 'content-type': 'application/json' }).end(answer);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    get points() {
      return points;
    },
    headers,
    text: () => texts.join('\n'),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
