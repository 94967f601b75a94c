import type { SpanContext } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { TelemetryRecord } from '../records.ts';
import type { Signal, SignalOptions } from './signal.ts';
import { spanExporter, type WrittenSpan } from './span-exporter.ts';
import { SpanQueue } from './span-queue.ts';
import { createSpans } from './spans.ts';
import { toldExports } from './told-exports.ts';

export const traceSignal = (options: SignalOptions): Signal => {
  const { packages, resource, url: base, timeOrigin, tell } = options;
  const { api } = packages;
  const url = `${base}/v1/traces`;
  const exporter = toldExports(spanExporter(options, url), { what: 'traces', url, tell });
  const queue = new SpanQueue({ packages, exporter, tell });
  const spans = createSpans({ createTraceState: api.createTraceState, timeOrigin });
  const context: SpanContext = { traceId: '', spanId: '', traceFlags: api.TraceFlags.SAMPLED };
  const spanContext = (): SpanContext => context;
  return {
    take(record: TelemetryRecord) {
      const text = record.kind === 'request' ? spans.ofRequest(record) : spans.ofAttempt(record);
      if (text === undefined) return;
      const span: WrittenSpan = { resource, spanContext, text };
      queue.add(span as ReadableSpan);
    },
    shutdown: () => queue.end(),
  };
};
