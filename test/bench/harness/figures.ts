import type { Samples } from './samples.ts';

/** Formats figures. A figure that was not measured is a dash. */
export const number = (value: number, digits = 1): string => (Number.isFinite(value) ? value.toFixed(digits) : '–');

export const multiple = (value: number): string => (Number.isFinite(value) ? `${value.toFixed(2)} ×` : '–');

/** Formats the median of a figure with its ratio to another subject's figure of the same round. */
export const besideBase =
  (samples: Samples, base: string, digits = 1) =>
  (subject: string, figure: string): string => {
    const value = number(samples.figure(subject, figure), digits);
    return value === '–' || subject === base ? value : `${value} (${multiple(samples.ratio(subject, figure, base))})`;
  };

export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** Returns the value below which this share of the others lies. `sorted` is in ascending order. */
export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** Formats a table in Markdown. All columns except the first contain numbers. */
export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  return `${line(head)}|---|${head
    .slice(1)
    .map(() => '---:|')
    .join('')}\n${rows.map(line).join('')}`;
};
