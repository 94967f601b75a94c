import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { toBuffer } from '../../../sdk/to-buffer.ts';
import { mostBytesOfUnit } from '../coded-texts.ts';
import { attributeTexts } from './attribute-texts.ts';
import { exportMs, type SignalOptions, scope } from './signal.ts';
import { type ExportAnswer, toldRejections } from './told-rejections.ts';

/** A span that is written already; the SDK's processor reads of it only whose it is and whether it is sampled. */
export interface WrittenSpan extends Pick<ReadableSpan, 'resource' | 'spanContext'> {
  /** As OTLP has it in JSON. */
  readonly text?: string;
}

const toBytes = (texts: readonly string[]): Uint8Array => {
  // What is not written of it takes no memory.
  const bytes = Buffer.allocUnsafeSlow(texts.reduce((sum, { length }) => sum + length * mostBytesOfUnit, 0));
  let end = 0;
  for (const text of texts) end += bytes.write(text, end);
  return bytes.subarray(0, end);
};

/** OpenTelemetry's exporter to a receiver of OTLP over HTTP, for spans that are written already. */
export const spanExporter = ({ packages, serviceName, headers, tell }: SignalOptions, url: string): SpanExporter => {
  const { convertLegacyHttpOptions, createOtlpHttpExportDelegate } = packages.exporters;
  const resource = `{"attributes":[${attributeTexts({ 'service.name': serviceName })}],"droppedAttributesCount":0}`;
  const begin = `{"resourceSpans":[{"resource":${resource},"scopeSpans":[{"scope":{"name":"${scope}"},"spans":[`;
  const requestOf = (spans: readonly WrittenSpan[]): Uint8Array =>
    toBytes([...spans.flatMap(({ text = '' }, at) => [at === 0 ? begin : ',', text]), ']}]}]}']);
  const noteRejections = toldRejections(tell);
  const readAnswer = (answer: Uint8Array): object => {
    const read: ExportAnswer = JSON.parse(toBuffer(answer).toString() || '{}');
    noteRejections(read);
    return read;
  };
  return createOtlpHttpExportDelegate<readonly WrittenSpan[], object>(
    convertLegacyHttpOptions({ url, headers, timeoutMillis: exportMs }, 'TRACES', 'v1/traces', {
      'Content-Type': 'application/json',
    }),
    { serializeRequest: requestOf, deserializeResponse: readAnswer },
    'otlp_http_json_span_exporter',
    { name: 'span', countItems: ({ length }) => length },
    undefined,
  );
};
