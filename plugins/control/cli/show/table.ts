import { cutText, padText, textWidth } from './text-width.ts';

const gap = 2;
/** A column is not made narrower than this. */
const leastWidth = 8;

export interface TableOptions {
  readonly head: readonly string[];
  /** Printable texts, one for each column. */
  readonly rows: readonly (readonly string[])[];
  /** How many columns a line may take; any number if absent. */
  readonly width?: number | undefined;
}

const sumTotal = (widths: readonly number[]): number =>
  widths.reduce((total, width) => total + width, gap * (widths.length - 1));

/** Takes what is too much from the widest columns, so that short ones stay whole. */
const fitted = (natural: readonly number[], width: number): readonly number[] => {
  const widths = [...natural];
  while (sumTotal(widths) > width) {
    const widest = Math.max(...widths);
    if (widest <= leastWidth) break;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
};

/** A table with aligned columns, a line for each row. Where lines would be too long, the longest cells are cut. */
export const tableText = ({ head, rows, width }: TableOptions): string => {
  const lines = [head, ...rows];
  const natural = head.map((_, column) => Math.max(...lines.map((cells) => textWidth(cells[column] ?? ''))));
  const widths = width === undefined ? natural : fitted(natural, width);
  return lines
    .map((cells) => {
      const padded = cells.map((cell, column) => padText(cutText(cell, widths[column] ?? 0), widths[column] ?? 0));
      return `${padded.join(' '.repeat(gap)).trimEnd()}\n`;
    })
    .join('');
};
