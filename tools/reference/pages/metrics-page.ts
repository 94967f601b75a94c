import { declaredMetrics } from '../../../deploy/monitoring/declared-metrics.ts';
import { code, codes, described, points, prose, type ReferencePage, toPage } from '../markdown.ts';

const types = {
  counter: 'counter, which only increases',
  gauge: 'gauge, which rises and falls',
  histogram: 'histogram: `_bucket`, `_sum` and `_count`',
} as const;

/** Creates the page of every metric that a gateway serves at `/metrics`. */
export const metricsPage = async (): Promise<ReferencePage> =>
  toPage('metrics.md', {
    title: 'Metrics',
    from: 'plugins/telemetry/metrics',
    parts: [
      'With `"metrics": true` in the gateway file, the gateway serves these metrics at `/metrics` for Prometheus, to keys with the scope [`metrics.read`](scopes.md#metrics), or without a key at a separate port ([`metrics.port`](gateway-file/logs.md#metricsport)). `"telemetry"` sends OpenTelemetry metrics to a receiver.',
      'A typical query is `sum by (plan) (rate(gatewright_requests_total[5m]))`.',
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
