type Rule = 'sum' | 'largest' | 'smallest' | 'first';

/** Gauges whose sum has no meaning. All other metrics are added. */
const rules: readonly (readonly [name: RegExp, rule: Rule])[] = [
  [/_version_info$/, 'first'],
  [/_start_time_seconds$/, 'smallest'],
  [/_max_fds$/, 'smallest'],
  [/_open_fds$/, 'largest'],
  [/_admitted_ratio$/, 'smallest'],
  [/_eventloop_lag(?:_|$)/, 'largest'],
];

const findRule = (name: string): Rule => rules.find(([pattern]) => pattern.test(name))?.[1] ?? 'sum';

const joined: Readonly<Record<Rule, (a: number, b: number) => number>> = {
  sum: (a, b) => a + b,
  largest: Math.max,
  smallest: Math.min,
  first: (a) => a,
};

const join = (rule: Rule, a: number, b: number): number => {
  if (Number.isNaN(a)) return b;
  return Number.isNaN(b) ? a : joined[rule](a, b);
};

interface Metric {
  readonly head: readonly string[];
  readonly type: string;
  /** By name and labels, in the order in which they were first read. */
  readonly samples: Map<string, number>;
}

/** The values of metrics in Prometheus' text format, added up over several pages. */
export type SummedMetrics = ReadonlyMap<string, Metric>;

const toNumber = (text: string): number => {
  if (text === '+Inf') return Number.POSITIVE_INFINITY;
  return text === '-Inf' ? Number.NEGATIVE_INFINITY : Number(text);
};

const fromNumber = (value: number): string => {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
};

/** Returns the name of a metric after `# HELP ` or `# TYPE `. */
const describedName = (line: string): string => line.slice(7).split(' ', 1)[0] ?? '';

/** Adds pages that come from processes of the same program. */
export const sumPages = (pages: readonly string[]): SummedMetrics => {
  const metrics = new Map<string, Metric>();
  for (const page of pages) {
    let current: Metric = { head: [], type: '', samples: new Map() };
    let name = '';
    let head: string[] = [];
    for (const line of page.split('\n')) {
      if (line === '') continue;
      if (line.startsWith('# HELP ')) head = [line];
      else if (line.startsWith('# TYPE ')) {
        name = describedName(line);
        const known = metrics.get(name);
        current = known ?? { head: [...head, line], type: line.slice(line.lastIndexOf(' ') + 1), samples: new Map() };
        if (known === undefined) metrics.set(name, current);
      } else if (!line.startsWith('#')) {
        const end = line.lastIndexOf(' ');
        const series = line.slice(0, end);
        const value = toNumber(line.slice(end + 1));
        const before = current.samples.get(series);
        current.samples.set(series, before === undefined ? value : join(findRule(name), before, value));
      }
    }
  }
  return metrics;
};

/** Returns the metrics as a page, or only those of `kinds`, if set. */
export const toPage = (metrics: SummedMetrics, kinds?: readonly string[]): string =>
  [...metrics.values()]
    .filter(({ type }) => kinds === undefined || kinds.includes(type))
    .map(({ head, samples }) =>
      [...head, ...Array.from(samples, ([series, value]) => `${series} ${fromNumber(value)}`)].join('\n'),
    )
    .join('\n\n')
    .concat('\n');

/** Returns the totals of a process that has ended. They may never fall. */
export const lastingPage = (page: string): string => toPage(sumPages([page]), ['counter', 'histogram', 'summary']);
