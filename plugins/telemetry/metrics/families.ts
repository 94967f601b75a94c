import type { Registry } from 'prom-client';
import { Series } from './series.ts';

export type PromClient = typeof import('prom-client');

/** One number of a counter. */
export interface Count {
  value: number;
}

/** One histogram. */
export interface Observed {
  observe(value: number): void;
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

/** Makes the metrics of one registry. */
export interface Families {
  counter(options: FamilyOptions): Series<Count>;
  histogram(options: HistogramOptions): Series<Observed>;
  /** Reads its value when it is asked for. */
  gauge(options: Omit<FamilyOptions, 'labels'> & { readonly read: () => number }): void;
  /** The same for a number that only grows. */
  total(options: Omit<FamilyOptions, 'labels'> & { readonly read: () => number }): void;
}

/** The beginning of all names. */
export const prefix = 'gatewright_';

/** A histogram has some twenty lines for each of its series. */
const mostNodes = { counter: 2000, histogram: 500 } as const;

const labelled = (names: readonly string[], values: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']));

/** Counters are plain numbers here, and given to the client when they are asked for: its own cost a hash of all labels. */
export const createFamilies = ({ Counter, Gauge, Histogram }: PromClient, registry: Registry): Families => {
  const registers = [registry];
  return {
    counter({ name, help, labels }) {
      const series = Series.of<Count>({ labels: labels.length, most: mostNodes.counter, make: () => ({ value: 0 }) });
      new Counter({
        name: prefix + name,
        help,
        labelNames: [...labels],
        registers,
        collect() {
          this.reset();
          for (const { values, cell } of series.all()) this.inc(labelled(labels, values), cell.value);
        },
      });
      return series;
    },
    histogram({ name, help, labels, buckets }) {
      const histogram = new Histogram({
        name: prefix + name,
        help,
        labelNames: [...labels],
        buckets: [...buckets],
        registers,
      });
      return Series.of<Observed>({
        labels: labels.length,
        most: mostNodes.histogram,
        make: (values) => histogram.labels(...values),
      });
    },
    gauge({ name, help, read }) {
      new Gauge({
        name: prefix + name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    },
    total({ name, help, read }) {
      new Counter({
        name: prefix + name,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(read());
        },
      });
    },
  };
};
