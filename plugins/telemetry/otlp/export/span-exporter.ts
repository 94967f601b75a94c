import type { IOtlpExportDelegate } from '@opentelemetry/otlp-exporter-base';
import { toFields, writeAttributes } from './attributes.ts';
import { logRejections } from './log-rejections.ts';
import { requestFields, resourceFields, resourceSpansFields, scopeFields, scopeSpansFields } from './otlp-fields.ts';
import { ProtoWriter } from './proto-writer.ts';
import { exportMs, type SignalOptions, scope } from './signal.ts';
import { toPieces, type WrittenSpan } from './span-writer.ts';

/** The number of bytes that the lengths of most exports take. */
const lengthBytes = 3;

/** Creates a function that encodes the request with which spans are sent. */
const requestWriter = (attributes: SignalOptions['attributes']): ((spans: readonly WrittenSpan[]) => Uint8Array) => {
  const resource = toFields((to) => {
    const begin = to.begin(resourceSpansFields.resource);
    writeAttributes(to, resourceFields.attributes, attributes);
    to.end(begin);
  });
  const instrumentation = toFields((to) => {
    const begin = to.begin(scopeSpansFields.scope);
    to.text(scopeFields.name, scope);
    to.end(begin);
  });
  const aroundSpans = resource.length + instrumentation.length + 2 * (1 + lengthBytes);
  return (spans) => {
    const pieces = toPieces(spans);
    const to = new ProtoWriter(pieces.reduce((sum, { length }) => sum + length, aroundSpans));
    const ofResource = to.begin(requestFields.resourceSpans, lengthBytes);
    to.fields(resource);
    const ofScope = to.begin(resourceSpansFields.scopeSpans, lengthBytes);
    to.fields(instrumentation);
    for (const piece of pieces) to.fields(piece);
    to.end(ofScope, lengthBytes);
    to.end(ofResource, lengthBytes);
    return to.part(0, to.length);
  };
};

/** Sends spans that are already encoded. */
export type SpanExporter = IOtlpExportDelegate<readonly WrittenSpan[]>;

/** Creates OpenTelemetry's exporter to a receiver of OTLP over HTTP. */
export const spanExporter = ({ packages, attributes, headers, log }: SignalOptions, url: string): SpanExporter => {
  const { convertLegacyHttpOptions, createOtlpHttpExportDelegate } = packages.exporters;
  const { ProtobufTraceSerializer } = packages.transformer;
  const serializeRequest = requestWriter(attributes);
  const noteRejections = logRejections(log);
  return createOtlpHttpExportDelegate<readonly WrittenSpan[], object>(
    convertLegacyHttpOptions({ url, headers, timeoutMillis: exportMs }, 'TRACES', 'v1/traces', {
      'Content-Type': 'application/x-protobuf',
    }),
    {
      serializeRequest,
      deserializeResponse(answer) {
        const read = ProtobufTraceSerializer.deserializeResponse(answer);
        noteRejections(read);
        return read;
      },
    },
    'otlp_http_span_exporter',
    { name: 'span', countItems: ({ length }) => length },
    undefined,
  );
};
