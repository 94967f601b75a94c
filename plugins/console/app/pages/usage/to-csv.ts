import { figuresOf, type Graph, type Point, valueName } from './charts.ts';

/** Writes a text as a cell. A spreadsheet would run a text that starts like a formula, so it is marked as text. */
const toCell = (text: string): string => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const toTime = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** Writes a graph as CSV (RFC 4180): one line per point or, if requests are split, per value and point. */
export const toCsv = (graph: Graph): string => {
  const figures = figuresOf(graph);
  const numbers = (point: Point): readonly string[] => figures.map((name) => String(point[name] ?? ''));
  const lines =
    graph.splits === undefined
      ? [['time', ...figures], ...graph.data_points.map((point) => [toTime(point.timestamp), ...numbers(point)])]
      : [
          ['time', 'value', ...figures],
          ...graph.splits.flatMap((split) =>
            split.data_points.map((point) => [toTime(point.timestamp), toCell(valueName(split)), ...numbers(point)]),
          ),
        ];
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('');
};
