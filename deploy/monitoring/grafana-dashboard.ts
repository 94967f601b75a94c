import { eventLoopUse } from './alerts.ts';
import type { MetricName } from './declared-metrics.ts';

interface Query {
  readonly query: string;
  /** The name of each series of the query. */
  readonly legend: string;
}

interface Panel {
  readonly title: string;
  readonly unit: 'reqps' | 'percentunit' | 's' | 'short' | 'bytes' | 'currencyUSD' | 'ops';
  readonly queries: readonly Query[];
  readonly isTable?: boolean;
}

interface Section {
  readonly title: string;
  readonly panels: readonly Panel[];
}

const rate = '$__rate_interval';

/**
 * The minimum step of a query: the scrape interval of the chart. Grafana makes `$__rate_interval` at least four times as long,
 * whatever scrape interval the data source reports, so it contains two scrapes even if Prometheus scrapes once a minute.
 */
const minStep = '30s';

/** Selects the plans that the reader of the dashboard has chosen. */
const chosen = 'plan=~"$plan"';

const sections = (metric: MetricName): readonly Section[] => {
  const rates = (short: string, by: string, selector: string = chosen): string =>
    `sum by (${by}) (rate(${metric(short)}{${selector}}[${rate}]))`;
  const one = (query: string, legend: string): readonly Query[] => [{ query, legend }];
  const quantiles = (short: string): readonly Query[] =>
    [0.5, 0.95, 0.99].map((share) => ({
      query: `histogram_quantile(${share}, ${rates(short, 'le')})`,
      legend: `p${share * 100}`,
    }));
  return [
    {
      title: 'Requests',
      panels: [
        { title: 'Requests', unit: 'reqps', queries: one(rates('requests_total', 'status'), '{{status}}') },
        {
          title: 'Failed requests, by cause',
          unit: 'reqps',
          queries: one(rates('requests_total', 'plan, cause', `${chosen},status=~"4xx|5xx"`), '{{plan}} {{cause}}'),
        },
        {
          title: 'Requests in flight',
          unit: 'short',
          queries: one(`sum(${metric('requests_in_flight')})`, 'requests'),
        },
        { title: 'Time to the end of the answer', unit: 's', queries: quantiles('request_duration_seconds_bucket') },
        { title: 'Time to the first content', unit: 's', queries: quantiles('time_to_first_byte_seconds_bucket') },
        { title: 'The gateway’s own time', unit: 's', queries: quantiles('overhead_seconds_bucket') },
      ],
    },
    {
      title: 'Providers',
      panels: [
        {
          title: 'Attempts',
          unit: 'reqps',
          queries: one(rates('attempts_total', 'provider, target, status'), '{{provider}} {{target}} {{status}}'),
        },
        {
          title: 'Retries, fallbacks and hedges',
          unit: 'ops',
          queries: [
            { query: rates('retries_total', 'target'), legend: 'retry {{target}}' },
            { query: rates('fallbacks_total', 'plan, group'), legend: 'fallback {{plan}} {{group}}' },
            { query: rates('hedges_total', 'plan, group, result'), legend: 'hedge {{plan}} {{group}} {{result}}' },
          ],
        },
        {
          title: 'Circuits and probes',
          unit: 'short',
          queries: [
            {
              query: `sum by (target, circuit, state) (increase(${metric('circuit_changes_total')}{${chosen}}[${rate}]))`,
              legend: '{{target}} {{circuit}} {{state}}',
            },
            {
              query: `sum by (target, result) (increase(${metric('probes_total')}{${chosen}}[${rate}]))`,
              legend: 'probe {{target}} {{result}}',
            },
          ],
        },
        {
          title: 'Keys of providers',
          unit: 'ops',
          queries: one(rates('key_attempts_total', 'target, key, result'), '{{target}} {{key}} {{result}}'),
        },
        {
          title: 'Refused credentials',
          unit: 'ops',
          queries: one(
            rates('credential_refusals_total', 'target, provider, result'),
            '{{target}} {{provider}} {{result}}',
          ),
        },
        {
          title: 'Broken streams',
          unit: 'ops',
          queries: one(rates('stream_failures_total', 'target, cause'), '{{target}} {{cause}}'),
        },
        {
          title: 'Mirrors',
          unit: 'ops',
          queries: one(rates('mirrors_total', 'target, result'), '{{target}} {{result}}'),
        },
      ],
    },
    {
      title: 'Overload',
      panels: [
        {
          title: 'Refused for want of room',
          unit: 'ops',
          queries: one(`sum by (reason, priority) (rate(${metric('shed_total')}[${rate}]))`, '{{reason}} {{priority}}'),
        },
        {
          title: 'Part of the requests that is admitted',
          unit: 'percentunit',
          queries: one(metric('admitted_ratio'), '{{instance}}'),
        },
        {
          title: 'Attempts that are open, and how many may be',
          unit: 'short',
          queries: [
            { query: `sum by (target) (${metric('target_attempts_open')}{${chosen}})`, legend: '{{target}}' },
            {
              query: `sum by (target) (${metric('target_concurrency_limit')}{${chosen}})`,
              legend: 'limit {{target}}',
            },
          ],
        },
        {
          title: 'Requests that wait for targets',
          unit: 'short',
          queries: one(`sum by (target) (${metric('target_queue_length')}{${chosen}})`, '{{target}}'),
        },
        {
          title: 'How long they wait',
          unit: 's',
          queries: one(
            `${rates('target_queue_seconds_total', 'target')} / ${rates('target_queued_total', 'target')}`,
            '{{target}}',
          ),
        },
      ],
    },
    {
      title: 'Usage',
      panels: [
        { title: 'Tokens', unit: 'ops', queries: one(rates('tokens_total', 'sort'), '{{sort}}') },
        {
          title: 'Cost of an hour',
          unit: 'currencyUSD',
          queries: one(`3600 * ${rates('cost_usd_total', 'plan, provider')}`, '{{plan}} {{provider}}'),
        },
        { title: 'Caches', unit: 'ops', queries: one(rates('cache_results_total', 'result'), '{{result}}') },
        {
          title: 'Checks',
          unit: 'ops',
          queries: one(
            `sum by (check, phase, verdict) (rate(${metric('check_verdicts_total')}[${rate}]))`,
            '{{check}} {{phase}} {{verdict}}',
          ),
        },
        {
          title: 'Service keys that were refused',
          unit: 'ops',
          queries: one(`sum(rate(${metric('refused_keys_total')}[${rate}]))`, 'refused'),
        },
        {
          title: 'The last of them',
          unit: 'short',
          isTable: true,
          queries: one(`sum by (address, key_id) (${metric('refused_keys_recent')})`, ''),
        },
      ],
    },
    {
      title: 'Processes',
      panels: [
        {
          title: 'Busy',
          unit: 'percentunit',
          queries: one(eventLoopUse(metric, rate), '{{instance}}'),
        },
        {
          title: 'CPU',
          unit: 'short',
          queries: one(`rate(${metric('process_cpu_seconds_total')}[${rate}])`, '{{instance}}'),
        },
        {
          title: 'Lag of timers, p99',
          unit: 's',
          queries: one(metric('nodejs_eventloop_lag_p99_seconds'), '{{instance}}'),
        },
        { title: 'Memory', unit: 'bytes', queries: one(metric('process_resident_memory_bytes'), '{{instance}}') },
        {
          title: 'Open files, of those allowed',
          unit: 'percentunit',
          queries: one(`${metric('process_open_fds')} / ${metric('process_max_fds')}`, '{{instance}}'),
        },
        {
          title: 'Parts of the store that cannot be used',
          unit: 'short',
          queries: one(metric('store_parts_unavailable'), '{{part}} {{instance}}'),
        },
        {
          title: 'Lines of logs that were dropped',
          unit: 'ops',
          queries: one(`rate(${metric('log_records_dropped_total')}[${rate}])`, '{{instance}}'),
        },
        {
          title: 'Records to sinks of the log, by result',
          unit: 'ops',
          queries: one(
            `sum by (sink, result) (rate(${metric('log_sink_records_total')}[${rate}]))`,
            '{{sink}} {{result}}',
          ),
        },
        {
          title: 'Records that wait for a sink',
          unit: 'short',
          queries: one(metric('log_sink_records_waiting'), '{{sink}} {{instance}}'),
        },
      ],
    },
  ];
};

const datasource = { type: 'prometheus', uid: '${datasource}' };
const [width, height, columns] = [8, 8, 3];

const toPanel = (
  { title, unit, queries, isTable = false }: Panel,
  place: { readonly id: number; readonly x: number; readonly y: number },
) => ({
  id: place.id,
  type: isTable ? 'table' : 'timeseries',
  title,
  datasource,
  gridPos: { x: place.x, y: place.y, w: width, h: height },
  fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
  options: isTable
    ? {}
    : { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
  targets: queries.map(({ query, legend }, at) => ({
    refId: String.fromCharCode(65 + at),
    datasource,
    expr: query,
    ...(isTable ? { instant: true, format: 'table' } : { legendFormat: legend, interval: minStep }),
  })),
});

/** Returns the dashboard in the format that Grafana imports. */
export const grafanaDashboard = (metric: MetricName): object => {
  const panels: object[] = [];
  let y = 0;
  let id = 1;
  for (const section of sections(metric)) {
    panels.push({
      id,
      type: 'row',
      title: section.title,
      collapsed: false,
      gridPos: { x: 0, y, w: 24, h: 1 },
      panels: [],
    });
    id += 1;
    y += 1;
    for (const [at, panel] of section.panels.entries()) {
      panels.push(toPanel(panel, { id, x: (at % columns) * width, y: y + Math.floor(at / columns) * height }));
      id += 1;
    }
    y += Math.ceil(section.panels.length / columns) * height;
  }
  const plans = `label_values(${metric('requests_total')}, plan)`;
  return {
    uid: 'gatewright',
    title: 'Gatewright',
    tags: ['gatewright'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    timezone: 'browser',
    templating: {
      list: [
        { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus', refresh: 1 },
        {
          ...{
            name: 'plan',
            label: 'Plan',
            type: 'query',
            datasource,
            query: { query: plans, refId: 'plans' },
            definition: plans,
          },
          ...{
            refresh: 2,
            sort: 1,
            includeAll: true,
            multi: true,
            allValue: '.*',
            current: { text: 'All', value: '$__all' },
          },
        },
      ],
    },
    panels,
  };
};
