import protobuf from 'protobufjs';

/** The part of https://github.com/open-telemetry/opentelemetry-proto that the gateway sends and tests read. */
const schema = `
syntax = "proto3";

message KeyValue { string key = 1; AnyValue value = 2; }
message ArrayValue { repeated AnyValue values = 1; }
message AnyValue {
  oneof value {
    string string_value = 1;
    bool bool_value = 2;
    int64 int_value = 3;
    double double_value = 4;
    ArrayValue array_value = 5;
  }
}
message Resource { repeated KeyValue attributes = 1; uint32 dropped_attributes_count = 2; }
message InstrumentationScope { string name = 1; }

message TraceRequest { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message ScopeSpans { InstrumentationScope scope = 1; repeated Span spans = 2; }
message Span {
  bytes trace_id = 1;
  bytes span_id = 2;
  string trace_state = 3;
  bytes parent_span_id = 4;
  string name = 5;
  int32 kind = 6;
  fixed64 start_time_unix_nano = 7;
  fixed64 end_time_unix_nano = 8;
  repeated KeyValue attributes = 9;
  uint32 dropped_attributes_count = 10;
  repeated Event events = 11;
  uint32 dropped_events_count = 12;
  repeated KeyValue links = 13;
  uint32 dropped_links_count = 14;
  Status status = 15;
  fixed32 flags = 16;
}
message Event {
  fixed64 time_unix_nano = 1;
  string name = 2;
  repeated KeyValue attributes = 3;
  uint32 dropped_attributes_count = 4;
}
message Status { string message = 2; int32 code = 3; }

message MetricsRequest { repeated ResourceMetrics resource_metrics = 1; }
message ResourceMetrics { Resource resource = 1; repeated ScopeMetrics scope_metrics = 2; }
message ScopeMetrics { InstrumentationScope scope = 1; repeated Metric metrics = 2; }
message Metric { string name = 1; string description = 2; string unit = 3; Histogram histogram = 9; }
message Histogram { repeated HistogramDataPoint data_points = 1; int32 aggregation_temporality = 2; }
message HistogramDataPoint {
  fixed64 count = 4;
  optional double sum = 5;
  repeated fixed64 bucket_counts = 6;
  repeated double explicit_bounds = 7;
  repeated KeyValue attributes = 9;
}

message TraceAnswer { PartialSuccess partial_success = 1; }
message PartialSuccess { int64 rejected_spans = 1; string error_message = 2; }
`;

const root = protobuf.parse(schema).root;
const [traceRequest, metricsRequest, traceAnswer] = ['TraceRequest', 'MetricsRequest', 'TraceAnswer'].map((name) =>
  root.lookupType(name),
) as [protobuf.Type, protobuf.Type, protobuf.Type];

export interface WireAttribute {
  readonly key: string;
  readonly value: {
    readonly stringValue?: string;
    /** A decimal number. */
    readonly intValue?: string;
    readonly doubleValue?: number;
    readonly boolValue?: boolean;
    readonly arrayValue?: { readonly values: readonly { readonly stringValue?: string }[] };
  };
}

interface WireEvent {
  readonly timeUnixNano: string;
  readonly name: string;
  readonly attributes: readonly WireAttribute[];
  readonly droppedAttributesCount: number;
}

/** Ids are hexadecimal, and nanoseconds decimal. A field that was not sent has its default value. */
export interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceState: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly WireAttribute[];
  readonly droppedAttributesCount: number;
  readonly events: readonly WireEvent[];
  readonly droppedEventsCount: number;
  readonly links: readonly unknown[];
  readonly droppedLinksCount: number;
  readonly status: { readonly message: string; readonly code: number } | null;
  readonly flags: number;
}

export interface WireMetric {
  readonly name: string;
  readonly unit: string;
  readonly histogram: {
    readonly dataPoints: readonly {
      readonly attributes: readonly WireAttribute[];
      readonly count: string;
      readonly sum: number;
      readonly explicitBounds: readonly number[];
    }[];
  } | null;
}

interface Scope {
  readonly scope: { readonly name: string };
}

export interface WireTraces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly WireAttribute[] };
    readonly scopeSpans: readonly (Scope & { readonly spans: readonly WireSpan[] })[];
  }[];
}

export interface WireMetrics {
  readonly resourceMetrics: readonly {
    readonly resource: { readonly attributes: readonly WireAttribute[] };
    readonly scopeMetrics: readonly (Scope & { readonly metrics: readonly WireMetric[] })[];
  }[];
}

/** Throws if the bytes have a different type. */
const decoded = (type: protobuf.Type, bytes: Uint8Array): unknown =>
  type.toObject(type.decode(bytes), { longs: String, defaults: true });

const hex = (bytes: unknown): string => Buffer.from(bytes as Uint8Array).toString('hex');

const withHexIds = (span: WireSpan): WireSpan => ({
  ...span,
  traceId: hex(span.traceId),
  spanId: hex(span.spanId),
  parentSpanId: hex(span.parentSpanId),
});

export const decodeTraces = (bytes: Uint8Array): WireTraces => {
  const { resourceSpans } = decoded(traceRequest, bytes) as WireTraces;
  return {
    resourceSpans: resourceSpans.map((each) => ({
      ...each,
      scopeSpans: each.scopeSpans.map((one) => ({ ...one, spans: one.spans.map(withHexIds) })),
    })),
  };
};

export const decodeMetrics = (bytes: Uint8Array): WireMetrics => decoded(metricsRequest, bytes) as WireMetrics;

/** Encodes the answer to an export of traces with rejected spans. */
export const encodeRejection = (rejectedSpans: number, errorMessage: string): Uint8Array =>
  traceAnswer.encode(traceAnswer.fromObject({ partialSuccess: { rejectedSpans, errorMessage } })).finish();
