import { alerts, type ExampleSeries, eventLoopUse } from './alerts.ts';
import type { MetricName } from './declared-metrics.ts';

/** The recorded metric that a horizontal pod autoscaler can follow. */
const eventLoopUseRecord = 'gatewright:event_loop_use:rate2m';

/** Returns the rules in the format of Prometheus, which is also the `spec` of a PrometheusRule. */
export const prometheusRules = (metric: MetricName): object => ({
  groups: [
    {
      name: 'gatewright.records',
      rules: [{ record: eventLoopUseRecord, expr: eventLoopUse(metric, '2m') }],
    },
    {
      name: 'gatewright.alerts',
      rules: alerts(metric).map(({ name, query, for: hold, severity, summary, description }) => ({
        alert: name,
        expr: query,
        for: hold,
        labels: { severity },
        annotations: { summary, description },
      })),
    },
  ],
});

const fill = (text: string, labels: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{ \$labels\.(\w+) \}\}/g, (_, name: string) => labels[name] ?? '');

/** The time at which the tests evaluate: by then, all examples have lasted long enough. */
const evaluatedAt = '25m';

/** Returns tests of the rules for `promtool test rules`: each alert fires in one test, and is silent in another. */
export const prometheusTests = (metric: MetricName): object => {
  const seriesOf = (examples: readonly ExampleSeries[]): readonly object[] =>
    examples.map(({ series, values }) => {
      const [, short = '', labels = ''] = /^(\w+)(.*)$/.exec(series) ?? [];
      return { series: `${metric(short)}${labels}`, values };
    });
  const tests = alerts(metric).flatMap(({ name, severity, summary, description, labels, fires, silent }) => {
    const fired = {
      exp_labels: { severity, ...labels },
      exp_annotations: { summary: fill(summary, labels), description },
    };
    const test = (examples: readonly ExampleSeries[], expected: readonly object[]): object => ({
      name: `${name} ${expected.length === 0 ? 'is silent' : 'fires'}`,
      interval: '1m',
      input_series: seriesOf(examples),
      alert_rule_test: [{ alertname: name, eval_time: evaluatedAt, exp_alerts: expected }],
    });
    return [test(fires, [fired]), test(silent, [])];
  });
  const use = {
    name: eventLoopUseRecord,
    interval: '1m',
    input_series: seriesOf([
      { series: 'event_loop_busy_seconds_total{instance="a"}', values: '0+60x30' },
      { series: 'serving_processes{instance="a"}', values: '2x30' },
    ]),
    promql_expr_test: [
      {
        expr: eventLoopUseRecord,
        eval_time: evaluatedAt,
        exp_samples: [{ labels: `${eventLoopUseRecord}{instance="a"}`, value: 0.5 }],
      },
    ],
  };
  return { rule_files: ['rules.yaml'], evaluation_interval: '1m', tests: [use, ...tests] };
};
