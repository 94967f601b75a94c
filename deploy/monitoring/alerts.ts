import type { MetricName } from './declared-metrics.ts';

/** A series in promtool's notation, with its growth or its value for each minute. */
export interface ExampleSeries {
  /** The name of the metric without its prefix, and its labels. */
  readonly series: string;
  /** For example `0+6x30` or `0x30`. */
  readonly values: string;
}

/** A state of metrics in which an alert fires, and one in which it does not. */
export interface AlertExamples {
  /** The labels of the alert when it fires, besides the severity. */
  readonly labels: Readonly<Record<string, string>>;
  readonly fires: readonly ExampleSeries[];
  readonly silent: readonly ExampleSeries[];
}

export interface Alert extends AlertExamples {
  readonly name: string;
  readonly severity: 'critical' | 'warning' | 'info';
  /** How long the condition must be true before the alert fires. */
  readonly for: string;
  readonly query: string;
  /** One sentence; `{{ $labels.plan }}` is the label of the series. */
  readonly summary: string;
  /** Where to look, and how to fix it. */
  readonly description: string;
}

const plan = { plan: 'main' };
const target = { plan: 'main', target: 'openai' };

const requests = (status: string, values: string): ExampleSeries => ({
  series: `requests_total{plan="main",endpoint="chat",status="${status}",cause=""}`,
  values,
});

const attempts = (status: string, values: string): ExampleSeries => ({
  series: `attempts_total{plan="main",target="openai",provider="openai",status="${status}",origin="upstream"}`,
  values,
});

const refusals = (values: string): ExampleSeries => ({
  series: `credential_refusals_total{plan="main",target="openai",provider="openai",result="refused"}`,
  values,
});

/** Returns a histogram in which each minute adds this many values below each bound. */
const histogram = (name: string, counts: Readonly<Record<string, number>>): readonly ExampleSeries[] =>
  Object.entries(counts).map(([bound, perMinute]) => ({
    series: `${name}_bucket{le="${bound}",plan="main",endpoint="chat"}`,
    values: `0+${perMinute}x30`,
  }));

/** Returns a query for the share of time in which the serving threads are busy, averaged over the workers. */
export const eventLoopUse = (metric: MetricName, range: string): string =>
  `rate(${metric('event_loop_busy_seconds_total')}[${range}]) / ${metric('serving_processes')}`;

/**
 * Returns a query for series that grew in the last ten minutes. A series starts with the first event that it counts, so a new
 * series also matches: `increase` does not see that event.
 */
const grewRecently = (series: string): string =>
  `increase(${series}[10m]) > 0 or ${series} unless ${series} offset 10m`;

/** Returns the alerts of a gateway. What is normal differs, so a threshold is a value at which somebody should look. */
export const alerts = (metric: MetricName): readonly Alert[] => [
  {
    name: 'GatewrightAbsent',
    severity: 'critical',
    for: '5m',
    query: `absent(${metric('process_start_time_seconds')})`,
    summary: 'Prometheus receives no metrics from any gateway.',
    description:
      'All gateways are down, or their metrics are off or refused: "metrics" in the gateway file, and the key that Prometheus sends.',
    labels: {},
    fires: [],
    silent: [{ series: 'process_start_time_seconds{instance="a"}', values: '1700000000x30' }],
  },
  {
    name: 'GatewrightErrors',
    severity: 'critical',
    for: '5m',
    query: `sum by (plan) (rate(${metric('requests_total')}{status="5xx"}[5m])) / sum by (plan) (rate(${metric('requests_total')}[5m])) > 0.05`,
    summary: 'More than 5 % of the requests of {{ $labels.plan }} fail.',
    description: 'The label cause of the requests says why; gw logs and gw explain show what each of them did.',
    labels: plan,
    fires: [requests('2xx', '0+50x30'), requests('5xx', '0+10x30')],
    silent: [requests('2xx', '0+99x30'), requests('5xx', '0+1x30')],
  },
  {
    name: 'GatewrightProviderErrors',
    severity: 'warning',
    for: '10m',
    query: `sum by (plan, target) (rate(${metric('attempts_total')}{status="5xx"}[5m])) / sum by (plan, target) (rate(${metric('attempts_total')}[5m])) > 0.2`,
    summary: 'More than 20 % of the attempts at {{ $labels.target }} of {{ $labels.plan }} fail.',
    description:
      'The label origin says whether the provider answered so, or did not answer. Clients see it where no fallback is left.',
    labels: target,
    fires: [attempts('2xx', '0+10x30'), attempts('5xx', '0+10x30')],
    silent: [attempts('2xx', '0+90x30'), attempts('5xx', '0+10x30')],
  },
  {
    name: 'GatewrightRateLimited',
    severity: 'warning',
    for: '10m',
    query: `sum by (plan, target) (rate(${metric('attempts_total')}{status="4xx",origin="upstream"}[5m])) / sum by (plan, target) (rate(${metric('attempts_total')}[5m])) > 0.2`,
    summary: 'The provider of {{ $labels.target }} of {{ $labels.plan }} refuses more than 20 % of the attempts.',
    description: 'It limits them, does not accept the key, or does not understand them: gw logs shows the statuses.',
    labels: target,
    fires: [attempts('2xx', '0+10x30'), attempts('4xx', '0+10x30')],
    silent: [attempts('2xx', '0+90x30'), attempts('4xx', '0+10x30')],
  },
  {
    name: 'GatewrightCircuitOpened',
    severity: 'warning',
    for: '0m',
    query: `sum by (plan, target, circuit) (${grewRecently(`${metric('circuit_changes_total')}{state="open"}`)})`,
    summary: 'The circuit of {{ $labels.target }} of {{ $labels.plan }} opened ({{ $labels.circuit }}).',
    description:
      'The target is not asked until its circuit closes; the attempts before it say what its provider answered.',
    labels: { ...target, circuit: 'target' },
    fires: [
      {
        series: 'circuit_changes_total{plan="main",target="openai",circuit="target",state="open"}',
        values: '_x17 1x12',
      },
    ],
    silent: [
      { series: 'circuit_changes_total{plan="main",target="openai",circuit="target",state="open"}', values: '1x30' },
      {
        series: 'circuit_changes_total{plan="main",target="openai",circuit="target",state="closed"}',
        values: '0x15 1x15',
      },
    ],
  },
  {
    name: 'GatewrightKeysRefusedByProvider',
    severity: 'critical',
    for: '0m',
    query: `sum by (plan, target, key, result) (${grewRecently(`${metric('key_attempts_total')}{result=~"refused|spent"}`)})`,
    summary: 'Key {{ $labels.key }} of {{ $labels.target }} of {{ $labels.plan }} is {{ $labels.result }}.',
    description: 'The key is revoked or out of credit. The others serve in its place: replace it, or pay.',
    labels: { ...target, key: '1', result: 'refused' },
    fires: [
      { series: 'key_attempts_total{plan="main",target="openai",key="1",result="refused"}', values: '3x17 4x12' },
    ],
    silent: [{ series: 'key_attempts_total{plan="main",target="openai",key="1",result="served"}', values: '0+3x30' }],
  },
  {
    name: 'GatewrightCredentialRefused',
    severity: 'critical',
    for: '1m',
    query: `sum by (plan, target, provider) (rate(${metric('credential_refusals_total')}[5m])) / sum by (plan, target, provider) (rate(${metric('attempts_total')}[5m])) > 0.5`,
    summary:
      'The provider {{ $labels.provider }} of {{ $labels.target }} of {{ $labels.plan }} refuses the credential of the gateway.',
    description:
      'It is revoked, has expired or is out of credit, and nothing serves in its place here: replace it, or pay. gw doctor tries it.',
    labels: { ...target, provider: 'openai' },
    fires: [attempts('4xx', '0+10x30'), refusals('0+10x30')],
    silent: [attempts('2xx', '0+20x30'), attempts('4xx', '0+10x30'), refusals('0+10x30')],
  },
  {
    name: 'GatewrightFallbacks',
    severity: 'info',
    for: '15m',
    query: `sum by (plan) (rate(${metric('fallbacks_total')}[5m])) / sum by (plan) (rate(${metric('requests_total')}[5m])) > 0.2`,
    summary: 'More than 20 % of the requests of {{ $labels.plan }} fall back.',
    description: 'They are served, but later and perhaps for another price: the first target is not what it was.',
    labels: plan,
    fires: [requests('2xx', '0+20x30'), { series: 'fallbacks_total{plan="main",group="config"}', values: '0+10x30' }],
    silent: [requests('2xx', '0+20x30'), { series: 'fallbacks_total{plan="main",group="config"}', values: '0+1x30' }],
  },
  {
    name: 'GatewrightStreamsBreak',
    severity: 'warning',
    for: '10m',
    query: `sum by (plan) (rate(${metric('stream_failures_total')}[5m])) / sum by (plan) (rate(${metric('requests_total')}[5m])) > 0.01`,
    summary: 'More than 1 % of the requests of {{ $labels.plan }} end in a broken stream.',
    description:
      'The label cause says whether the provider broke off, was silent for limits.idle_ms, or sent what is no answer.',
    labels: plan,
    fires: [
      requests('2xx', '0+50x30'),
      { series: 'stream_failures_total{plan="main",target="openai",cause="cut"}', values: '0+2x30' },
    ],
    silent: [
      requests('2xx', '0+500x30'),
      { series: 'stream_failures_total{plan="main",target="openai",cause="cut"}', values: '0+1x30' },
    ],
  },
  {
    name: 'GatewrightSlowAnswers',
    severity: 'warning',
    for: '10m',
    query: `histogram_quantile(0.95, sum by (le, plan) (rate(${metric('time_to_first_byte_seconds_bucket')}[5m]))) > 20`,
    summary: 'Of the requests of {{ $labels.plan }}, 5 % wait more than 20 seconds for their first content.',
    description: 'Compare it with the overhead of the gateway: what is not its own time is that of providers.',
    labels: plan,
    fires: histogram('time_to_first_byte_seconds', { '10': 5, '30': 10, '+Inf': 10 }),
    silent: histogram('time_to_first_byte_seconds', { '10': 10, '30': 10, '+Inf': 10 }),
  },
  {
    name: 'GatewrightOverhead',
    severity: 'warning',
    for: '10m',
    query: `histogram_quantile(0.99, sum by (le) (rate(${metric('overhead_seconds_bucket')}[5m]))) > 0.1`,
    summary: 'The gateway itself takes more than 100 ms for 1 % of the requests.',
    description: 'It has too little CPU, a check that computes for long, or a cache or Redis that is slow.',
    labels: {},
    fires: histogram('overhead_seconds', { '0.1': 5, '0.25': 10, '+Inf': 10 }),
    silent: histogram('overhead_seconds', { '0.1': 10, '0.25': 10, '+Inf': 10 }),
  },
  {
    name: 'GatewrightChecksFailToJudge',
    severity: 'warning',
    for: '10m',
    query: `sum by (check) (rate(${metric('check_verdicts_total')}{verdict="error"}[5m])) / sum by (check) (rate(${metric('check_verdicts_total')}[5m])) > 0.05`,
    summary: 'The check {{ $labels.check }} cannot judge more than 5 % of what it gets.',
    description:
      'Its service does not answer in time, or refuses. Whether requests pass unjudged is what the config says.',
    labels: { check: 'pii' },
    fires: [
      { series: 'check_verdicts_total{check="pii",phase="input",verdict="pass"}', values: '0+9x30' },
      { series: 'check_verdicts_total{check="pii",phase="input",verdict="error"}', values: '0+1x30' },
    ],
    silent: [
      { series: 'check_verdicts_total{check="pii",phase="input",verdict="pass"}', values: '0+9x30' },
      { series: 'check_verdicts_total{check="pii",phase="input",verdict="fail"}', values: '0+9x30' },
    ],
  },
  {
    name: 'GatewrightServiceKeysRefused',
    severity: 'warning',
    for: '5m',
    query: `sum(rate(${metric('refused_keys_total')}[5m])) > 1`,
    summary: 'More than one request a second has a service key that is refused.',
    description: 'A key has expired, or somebody tries keys: gatewright_refused_keys_recent has the addresses.',
    labels: {},
    fires: [{ series: 'refused_keys_total{instance="a"}', values: '0+120x30' }],
    silent: [{ series: 'refused_keys_total{instance="a"}', values: '0+6x30' }],
  },
  {
    name: 'GatewrightLogRecordsDropped',
    severity: 'warning',
    for: '0m',
    query: `increase(${metric('log_records_dropped_total')}[10m]) > 0`,
    summary: 'Lines of the log of {{ $labels.instance }} were dropped.',
    description: 'Whatever reads the output of the gateway is slower than it writes, or the disk of its file is full.',
    labels: { instance: 'a' },
    fires: [{ series: 'log_records_dropped_total{instance="a"}', values: '0x15 40x15' }],
    silent: [{ series: 'log_records_dropped_total{instance="a"}', values: '40x30' }],
  },
  {
    name: 'GatewrightStoreUnavailable',
    severity: 'critical',
    for: '2m',
    query: `${metric('store_parts_unavailable')} > 0`,
    summary: 'The gateway {{ $labels.instance }} cannot use its store: {{ $labels.part }}.',
    description:
      'Requests are served with known data. /readyz and the log of the gateway say why: the database (store), writing it (writes), its ledger, the Redis that counts limits (counters), or the log of requests (log).',
    labels: { instance: 'a', part: 'counters' },
    fires: [{ series: 'store_parts_unavailable{instance="a",part="counters"}', values: '0x15 1x15' }],
    silent: [{ series: 'store_parts_unavailable{instance="a",part="counters"}', values: '1x10 0x20' }],
  },
  {
    name: 'GatewrightBusy',
    severity: 'warning',
    for: '10m',
    query: `${eventLoopUse(metric, '5m')} > 0.85`,
    summary: 'The gateway {{ $labels.instance }} is busy for more than 85 % of the time.',
    description: 'More requests will wait: add gateways.',
    labels: { instance: 'a' },
    fires: [
      { series: 'event_loop_busy_seconds_total{instance="a"}', values: '0+57x30' },
      { series: 'serving_processes{instance="a"}', values: '1x30' },
    ],
    silent: [
      { series: 'event_loop_busy_seconds_total{instance="a"}', values: '0+120x30' },
      { series: 'serving_processes{instance="a"}', values: '4x30' },
    ],
  },
  {
    name: 'GatewrightOverloaded',
    severity: 'warning',
    for: '5m',
    query: `sum by (reason) (rate(${metric('shed_total')}{priority=~"normal|high"}[5m])) > 0.1`,
    summary: 'Requests of normal or high priority are refused for want of room ({{ $labels.reason }}).',
    description:
      'event-loop and memory: add gateways. Any other reason: a target has as much as it can serve, so add a fallback target, or capacity there; gatewright_target_concurrency_limit says how much that is.',
    labels: { reason: 'queue-time' },
    fires: [{ series: 'shed_total{reason="queue-time",priority="normal"}', values: '0+60x30' }],
    silent: [{ series: 'shed_total{reason="queue-time",priority="low"}', values: '0+60x30' }],
  },
  {
    name: 'GatewrightStalls',
    severity: 'warning',
    for: '5m',
    query: `${metric('nodejs_eventloop_lag_p99_seconds')} > 0.25`,
    summary: 'Timers of the gateway {{ $labels.instance }} are late by more than 250 ms.',
    description:
      'Something computes for long without a break, such as a check of a plugin, or the machine has no time for the process.',
    labels: { instance: 'a' },
    fires: [{ series: 'nodejs_eventloop_lag_p99_seconds{instance="a"}', values: '0.4x30' }],
    silent: [{ series: 'nodejs_eventloop_lag_p99_seconds{instance="a"}', values: '0.02x30' }],
  },
  {
    name: 'GatewrightFewOpenFiles',
    severity: 'warning',
    for: '5m',
    query: `${metric('process_open_fds')} / ${metric('process_max_fds')} > 0.8`,
    summary: 'The gateway {{ $labels.instance }} has few files left that it may open.',
    description:
      'Each connection is one. Raise the limit of open files: LimitNOFILE of systemd, ulimits of a container.',
    labels: { instance: 'a' },
    fires: [
      { series: 'process_open_fds{instance="a"}', values: '900x30' },
      { series: 'process_max_fds{instance="a"}', values: '1024x30' },
    ],
    silent: [
      { series: 'process_open_fds{instance="a"}', values: '100x30' },
      { series: 'process_max_fds{instance="a"}', values: '1024x30' },
    ],
  },
];
