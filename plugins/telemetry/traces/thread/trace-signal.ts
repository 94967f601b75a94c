import type { TelemetryRecord } from '../records.ts';
import { exportMs, type Signal, type SignalOptions, scope } from './signal.ts';
import { createSpans } from './spans.ts';
import { toldExports } from './told-exports.ts';

/** How long spans wait for others. `OTEL_BSP_SCHEDULE_DELAY` is what all of OpenTelemetry calls it. */
const batchDelayMs = (): number => Number(process.env.OTEL_BSP_SCHEDULE_DELAY) || 5000;
/** Spans that wait for the receiver; what is more is dropped. */
const mostWaiting = 4096;

export const traceSignal = ({ packages, resource, url: base, headers, timeOrigin, tell }: SignalOptions): Signal => {
  const { api, trace, traceExporter } = packages;
  const url = `${base}/v1/traces`;
  const exporter = new traceExporter.OTLPTraceExporter({ url, headers, timeoutMillis: exportMs });
  const processor = new trace.BatchSpanProcessor({
    exporter: toldExports(exporter, { what: 'traces', url, tell }),
    maxQueueSize: mostWaiting,
    scheduledDelayMillis: batchDelayMs(),
    exportTimeoutMillis: exportMs,
  });
  const spans = createSpans({ api, resource, scope, timeOrigin });
  return {
    take(record: TelemetryRecord) {
      const span = record[0] === 'request' ? spans.ofRequest(record) : spans.ofAttempt(record);
      if (span !== undefined) processor.onEnd(span);
    },
    shutdown: () => processor.shutdown(),
  };
};
