import type { Meter } from '@opentelemetry/api';
import { overheadBuckets } from '../../overhead-buckets.ts';
import type { AttemptRecord, OverheadRecord } from '../records/records.ts';
import { logExports } from './log-exports.ts';
import { MeasuredAttributes } from './measured-attributes.ts';
import { OverheadAttributes } from './overhead-attributes.ts';
import { exportMs, type Signal, type SignalOptions, scope } from './signal.ts';

/** How often metrics are sent, in milliseconds. `OTEL_METRIC_EXPORT_INTERVAL` is OpenTelemetry's standard variable for it. */
const intervalMs = (): number => Number(process.env.OTEL_METRIC_EXPORT_INTERVAL) || 60_000;

/** The bucket boundaries that the conventions recommend. */
const tokenBoundaries = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864];
const secondBoundaries = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];

/** Creates the measurements of how long attempts take and which tokens they use. */
const measureWith = (meter: Meter, attributes: MeasuredAttributes): ((record: AttemptRecord) => void) => {
  const tokens = meter.createHistogram('gen_ai.client.token.usage', {
    unit: '{token}',
    description: 'Number of input and output tokens used.',
    advice: { explicitBucketBoundaries: tokenBoundaries },
  });
  const durations = meter.createHistogram('gen_ai.client.operation.duration', {
    unit: 's',
    description: 'GenAI operation duration.',
    advice: { explicitBucketBoundaries: secondBoundaries },
  });
  return (record) => {
    const { startedAt, endedAt, usage } = record;
    if (!record.isMeasured) return;
    const facts = attributes.of(record);
    durations.record((endedAt - startedAt) / 1000, facts);
    if (usage === null) return;
    if (usage.input !== null) tokens.record(usage.input, { ...facts, 'gen_ai.token.type': 'input' });
    if (usage.output !== null) tokens.record(usage.output, { ...facts, 'gen_ai.token.type': 'output' });
  };
};

/** Creates the measurement of how much time the gateway itself takes. */
const measureOverheadWith = (meter: Meter): ((record: OverheadRecord) => void) => {
  const attributes = new OverheadAttributes();
  const overheads = meter.createHistogram('gatewright.overhead', {
    unit: 's',
    description: 'Time that the gateway itself takes, excluding waits for other services.',
    advice: { explicitBucketBoundaries: [...overheadBuckets] },
  });
  return (record) => overheads.record(record.ms / 1000, attributes.of(record));
};

export const metricSignal = ({ packages, resource, listedModel, url: base, headers, log }: SignalOptions): Signal => {
  const { metrics, metricExporter } = packages;
  const url = `${base}/v1/metrics`;
  const exporter = new metricExporter.OTLPMetricExporter({ url, headers, timeoutMillis: exportMs });
  const every = intervalMs();
  const provider = new metrics.MeterProvider({
    resource,
    readers: [
      new metrics.PeriodicExportingMetricReader({
        exporter: logExports(exporter, { what: 'metrics', url, log }),
        exportIntervalMillis: every,
        exportTimeoutMillis: Math.min(every, exportMs),
      }),
    ],
  });
  const attributes = new MeasuredAttributes(listedModel);
  const meter = provider.getMeter(scope);
  const measure = measureWith(meter, attributes);
  const measureOverhead = measureOverheadWith(meter);
  return {
    take(record) {
      if (record.kind === 'attempt') measure(record);
      if (record.kind === 'overhead') measureOverhead(record);
    },
    addModels: (names) => attributes.addModels(names),
    shutdown: () => provider.shutdown(),
  };
};
