import { Buckets } from './buckets.ts';
import { Series } from './series.ts';

/** One number of a counter. */
export interface Count {
  value: number;
}

export interface FamilyOptions {
  /** Without the prefix. */
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

export interface HistogramOptions extends FamilyOptions {
  readonly buckets: readonly number[];
}

/** One line of a metric; `metricName` where it is not the metric's own. */
interface Sample {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly metricName?: string;
}

/** A metric with its values of now, as `getMetricsAsJSON` of prom-client tells it. */
export interface MetricValues {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly aggregator: 'sum';
  readonly values: readonly Sample[];
}

/** The beginning of all names. */
export const prefix = 'gatewright_';

/** A histogram has some twenty lines for each of its series. */
const mostNodes = { counter: 2000, histogram: 500 } as const;

type Labels = Readonly<Record<string, string>>;

const labelled = (names: readonly string[], values: readonly string[]): Labels =>
  Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']));

const histogramLines = (name: string, labels: Labels, counted: Buckets): readonly Sample[] => {
  const bounds = counted.atMost();
  return [
    ...bounds.map(([le, value]) => ({ labels: { le, ...labels }, value, metricName: `${name}_bucket` })),
    { labels, value: counted.sum, metricName: `${name}_sum` },
    { labels, value: bounds.at(-1)?.[1] ?? 0, metricName: `${name}_count` },
  ];
};

interface ReadOptions extends Omit<FamilyOptions, 'labels'> {
  readonly read: () => number;
}

/** The metrics of one gateway. They are plain numbers, which prom-client is given when it is asked for its page. */
export class Families {
  readonly #metrics: (() => MetricValues)[] = [];

  counter({ name, help, labels }: FamilyOptions): Series<Count> {
    const series = Series.of<Count>({ labels: labels.length, most: mostNodes.counter, make: () => ({ value: 0 }) });
    this.#add({ name, help, type: 'counter' }, () =>
      Array.from(series.all(), ({ values, cell: { value } }) => ({ labels: labelled(labels, values), value })),
    );
    return series;
  }

  histogram({ name, help, labels, buckets }: HistogramOptions): Series<Buckets> {
    const make = (): Buckets => new Buckets(buckets);
    const series = Series.of<Buckets>({ labels: labels.length, most: mostNodes.histogram, make });
    this.#add({ name, help, type: 'histogram' }, () =>
      Array.from(series.all(), ({ values, cell }) =>
        histogramLines(prefix + name, labelled(labels, values), cell),
      ).flat(),
    );
    return series;
  }

  /** Reads its value when it is asked for. */
  gauge({ name, help, read }: ReadOptions): void {
    this.#add({ name, help, type: 'gauge' }, () => [{ labels: {}, value: read() }]);
  }

  /** The same for a number that only grows. */
  total({ name, help, read }: ReadOptions): void {
    this.#add({ name, help, type: 'counter' }, () => [{ labels: {}, value: read() }]);
  }

  /** All of them, in the order in which they were made. */
  metrics(): readonly MetricValues[] {
    return this.#metrics.map((values) => values());
  }

  #add({ name, help, type }: Pick<MetricValues, 'name' | 'help' | 'type'>, values: () => readonly Sample[]): void {
    this.#metrics.push(() => ({ name: prefix + name, help, type, aggregator: 'sum', values: values() }));
  }
}
