const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

/** The labels of one series as lines have them, without braces: `plan="main",target="first"`. */
export const labelText = (names: readonly string[], values: readonly string[]): string =>
  names.map((name, at) => `${name}="${escaped(values[at] ?? '').replaceAll('"', '\\"')}"`).join(',');

/** One line. `labels` is what `labelText` gives, or empty. */
export const sampleLine = (name: string, labels: string, value: number): string =>
  labels === '' ? `${name} ${value}` : `${name}{${labels}} ${value}`;

export interface MetricText {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly lines: readonly string[];
}

/** A metric in the text format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats), as prom-client writes it. */
export const metricText = ({ name, help, type, lines }: MetricText): string =>
  [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${type}`, ...lines].join('\n');
