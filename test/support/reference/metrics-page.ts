import { declaredMetrics } from '../../../deploy/monitoring/declared-metrics.ts';
import { code, codes, described, points, prose, type ReferencePage, toPage } from './markdown.ts';

const types = {
  counter: 'counter, which only grows',
  gauge: 'gauge, which rises and falls',
  histogram: 'histogram: `_bucket`, `_sum` and `_count`',
} as const;

/** Every metric that a gateway serves at `/metrics`. */
export const metricsPage = async (): Promise<ReferencePage> =>
  toPage('metrics.md', {
    title: 'Metrics',
    from: 'plugins/telemetry/metrics',
    parts: [
      '`"metrics": true` in the gateway file serves them at `/metrics` for Prometheus, to keys with the scope [`metrics.read`](scopes.md#metrics), or without a key at a port of their own ([`metrics.port`](gateway-file/logs.md#metricsport)). `"telemetry"` sends those of OpenTelemetry to a receiver.',
      'A query begins as `sum by (plan) (rate(gatewright_requests_total[5m]))`.',
      ...(await declaredMetrics()).flatMap(({ name, type, labels, help }) => [
        `## ${code(name)}`,
        prose(described(help, name)),
        points([
          `Type: ${types[type as keyof typeof types]}`,
          ...(labels.length === 0 ? [] : [`Labels: ${codes(labels)}`]),
        ]),
      ]),
    ],
  });
