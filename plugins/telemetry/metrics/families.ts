import { Buckets } from './buckets.ts';
import { type Labelled, Series } from './series.ts';
import { labelText, type MetricText, metricText, sampleLine } from './text-format.ts';

/** The value of a counter. */
export interface Count {
  value: number;
}

export interface FamilyOptions<Labels extends readonly string[] = readonly string[]> {
  /** The name without the prefix. */
  readonly name: string;
  readonly help: string;
  readonly labels: Labels;
}

export interface HistogramOptions<Labels extends readonly string[] = readonly string[]> extends FamilyOptions<Labels> {
  readonly buckets: readonly number[];
}

/** The prefix of all names. */
export const prefix = 'gatewright_';

/** The maximum number of nodes. A histogram has about twenty lines for each series. */
const maxNodes = { counter: 2000, histogram: 500 } as const;

const histogramLines = (name: string, labels: string, counted: Buckets): readonly string[] => {
  const bounds = counted.atMost();
  return [
    ...bounds.map(([bound, count]) => sampleLine(`${name}_bucket`, `le="${bound}",${labels}`, count)),
    sampleLine(`${name}_sum`, labels, counted.sum),
    sampleLine(`${name}_count`, labels, bounds.at(-1)?.[1] ?? 0),
  ];
};

interface ReadOptions extends Omit<FamilyOptions, 'labels'> {
  readonly read: () => number;
}

interface ReadSeriesOptions extends FamilyOptions {
  /** Returns the values of the labels of each series, and its own value. */
  readonly read: () => readonly { readonly values: readonly string[]; readonly value: number }[];
}

/** A metric as it can be used in rules and dashboards. */
export interface DeclaredFamily {
  /** The name with the prefix. */
  readonly name: string;
  readonly type: MetricText['type'];
  readonly labels: readonly string[];
  /** One sentence. */
  readonly help: string;
}

/** The metrics of one gateway: plain numbers, which are formatted when they are requested. */
export class Families {
  readonly #texts: (() => string)[] = [];
  readonly #declared: DeclaredFamily[] = [];

  counter<const Labels extends readonly string[]>(options: FamilyOptions<Labels>): Labelled<Count, Labels>;
  counter({ name, help, labels }: FamilyOptions): Series<Count> {
    const series = Series.of<Count>({ labels: labels.length, max: maxNodes.counter, make: () => ({ value: 0 }) });
    this.#add({ name, help, type: 'counter', labels }, (full) =>
      series.all().map(({ values, cell }) => sampleLine(full, labelText(labels, values), cell.value)),
    );
    return series;
  }

  histogram<const Labels extends readonly string[]>(options: HistogramOptions<Labels>): Labelled<Buckets, Labels>;
  histogram({ name, help, labels, buckets }: HistogramOptions): Series<Buckets> {
    const make = (): Buckets => new Buckets(buckets);
    const series = Series.of<Buckets>({ labels: labels.length, max: maxNodes.histogram, make });
    this.#add({ name, help, type: 'histogram', labels }, (full) =>
      series.all().flatMap(({ values, cell }) => histogramLines(full, labelText(labels, values), cell)),
    );
    return series;
  }

  /** Adds a gauge whose value is read when it is requested. */
  gauge({ name, help, read }: ReadOptions): void {
    this.#add({ name, help, type: 'gauge', labels: [] }, (full) => [sampleLine(full, '', read())]);
  }

  /** The same for several series. The reader must keep their number small. */
  gauges(options: ReadSeriesOptions): void {
    this.#addRead('gauge', options);
  }

  /** The same for numbers that only grow. */
  totals(options: ReadSeriesOptions): void {
    this.#addRead('counter', options);
  }

  /** The same for a number that only grows. */
  total({ name, help, read }: ReadOptions): void {
    this.#add({ name, help, type: 'counter', labels: [] }, (full) => [sampleLine(full, '', read())]);
  }

  /** Returns all metrics in the text format of Prometheus, in the order in which they were added. */
  text(): string {
    return `${this.#texts.map((text) => text()).join('\n\n')}\n`;
  }

  /** All metrics, in the same order. */
  get declared(): readonly DeclaredFamily[] {
    return this.#declared;
  }

  #addRead(type: MetricText['type'], { name, help, labels, read }: ReadSeriesOptions): void {
    this.#add({ name, help, type, labels }, (full) =>
      read().map(({ values, value }) => sampleLine(full, labelText(labels, values), value)),
    );
  }

  #add(
    { name, help, type, labels }: Omit<MetricText, 'lines'> & Pick<DeclaredFamily, 'labels'>,
    lines: (full: string) => readonly string[],
  ): void {
    const full = prefix + name;
    this.#declared.push({ name: full, type, labels, help });
    this.#texts.push(() => metricText({ name: full, help, type, lines: lines(full) }));
  }
}
