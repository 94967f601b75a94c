import type { Hooks } from '../../sdk/hooks.ts';
import { definePlugin, type Plugin } from '../../sdk/plugin.ts';
import { OwnIds } from './own-ids.ts';
import { importPackages, type Packages } from './packages.ts';
import { tapMeasurements } from './tap-measurements.ts';
import { tapSpans } from './tap-spans.ts';
import { toldExports } from './told-exports.ts';

export interface OpenTelemetryOptions {
  /** The base URL of the receiver. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly traces: boolean;
  readonly metrics: boolean;
  /** 0 to 1, for requests whose client does not say. */
  readonly sampleRatio: number;
  /** Milliseconds since the epoch of the zero of the runtime's clock. */
  readonly timeOrigin: number;
  /** Milliseconds of the runtime's clock. */
  readonly now: () => number;
  /** Tells the operator. */
  readonly tell: (text: string) => void;
}

const scope = 'gatewright';
/** How long an export may take, and how long the gateway waits for the last one. */
const exportMs = 10_000;
const lastExportMs = 2000;
/** How often metrics are sent. `OTEL_METRIC_EXPORT_INTERVAL` is what all of OpenTelemetry calls it. */
const intervalMs = (): number => Number(process.env.OTEL_METRIC_EXPORT_INTERVAL) || 60_000;
const batchDelayMs = (): number => Number(process.env.OTEL_BSP_SCHEDULE_DELAY) || 5000;
/** Names that callers choose are cut to this. */
const longestValue = 256;
/** Spans that wait for the receiver; what is more is dropped. */
const mostWaiting = 4096;

interface Signal {
  tap(hooks: Hooks): void;
  shutdown(): Promise<void>;
}

type Resource = ReturnType<Packages['resources']['resourceFromAttributes']>;

const traceSignal = (
  { api, trace, traceExporter }: Packages,
  resource: Resource,
  options: OpenTelemetryOptions,
): Signal => {
  const { headers, tell, sampleRatio, timeOrigin, now } = options;
  const url = `${options.url}/v1/traces`;
  const ids = new OwnIds(new trace.RandomIdGenerator());
  const exporter = new traceExporter.OTLPTraceExporter({ url, headers, timeoutMillis: exportMs });
  const provider = new trace.TracerProvider({
    resource,
    idGenerator: ids,
    sampler: new trace.ParentBasedSampler({ root: new trace.TraceIdRatioBasedSampler(sampleRatio) }),
    spanLimits: { attributeValueLengthLimit: longestValue },
    spanProcessors: [
      new trace.BatchSpanProcessor({
        exporter: toldExports(exporter, { what: 'traces', url, tell }),
        maxQueueSize: mostWaiting,
        scheduledDelayMillis: batchDelayMs(),
        exportTimeoutMillis: exportMs,
      }),
    ],
  });
  const tracer = provider.getTracer(scope);
  return {
    tap: (hooks) => tapSpans(hooks, { api, tracer, ids, now, epochMs: (at) => timeOrigin + at }),
    shutdown: () => provider.shutdown(),
  };
};

const metricSignal = (
  { metrics, metricExporter }: Packages,
  resource: Resource,
  { url: base, headers, tell, now }: OpenTelemetryOptions,
): Signal => {
  const url = `${base}/v1/metrics`;
  const exporter = new metricExporter.OTLPMetricExporter({ url, headers, timeoutMillis: exportMs });
  const every = intervalMs();
  const provider = new metrics.MeterProvider({
    resource,
    readers: [
      new metrics.PeriodicExportingMetricReader({
        exporter: toldExports(exporter, { what: 'metrics', url, tell }),
        exportIntervalMillis: every,
        exportTimeoutMillis: Math.min(every, exportMs),
      }),
    ],
  });
  const meter = provider.getMeter(scope);
  return { tap: (hooks) => tapMeasurements(hooks, meter, now), shutdown: () => provider.shutdown() };
};

/** Sends what is left. A receiver that does not answer does not keep the gateway from ending. */
const shutDown = (signals: readonly Signal[]): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, lastExportMs);
    Promise.allSettled(signals.map((signal) => signal.shutdown())).then(() => {
      clearTimeout(timer);
      resolve();
    });
  });

/**
 * The plugin that sends traces and metrics to a receiver of OTLP over HTTP. Nothing waits for it: spans are sent in batches
 * beside the requests, and dropped where too many wait.
 *
 * @throws MissingPackage
 */
export const openTelemetry = async (options: OpenTelemetryOptions): Promise<Plugin> => {
  const packages = await importPackages();
  const resource = packages.resources.resourceFromAttributes({ 'service.name': options.serviceName });
  const signals = [
    ...(options.traces ? [traceSignal(packages, resource, options)] : []),
    ...(options.metrics ? [metricSignal(packages, resource, options)] : []),
  ];
  return definePlugin({
    name: 'gatewright/telemetry',
    apply: (hooks) => {
      for (const signal of signals) signal.tap(hooks);
      hooks.close.tapPromise('gatewright/telemetry', () => shutDown(signals));
    },
  });
};
