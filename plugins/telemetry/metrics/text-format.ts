const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

/** Formats the labels of one series, without braces: `plan="main",target="first"`. */
export const labelText = (names: readonly string[], values: readonly string[]): string =>
  names.map((name, at) => `${name}="${escaped(values[at] ?? '').replaceAll('"', '\\"')}"`).join(',');

/** Formats one line. `labels` is the result of `labelText`, or empty. */
export const sampleLine = (name: string, labels: string, value: number): string =>
  labels === '' ? `${name} ${value}` : `${name}{${labels}} ${value}`;

export interface MetricText {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly lines: readonly string[];
}

/**
 * Formats a metric in the text format of Prometheus (https://prometheus.io/docs/instrumenting/exposition_formats), as prom-client
 * does.
 */
export const metricText = ({ name, help, type, lines }: MetricText): string =>
  [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${type}`, ...lines].join('\n');
