import { texts } from '../../texts/usage.ts';

export type Figures = Readonly<Record<string, number | null>>;
export type Point = Figures & { readonly timestamp: number };

/** The response of `GET /analytics/graphs/…`. */
export interface Graph {
  readonly summary: Figures;
  readonly data_points: readonly Point[];
  readonly splits?: readonly {
    readonly value: string | null;
    readonly is_other?: true;
    readonly summary: Figures;
    readonly data_points: readonly Point[];
  }[];
  readonly sampled?: true;
  readonly share?: number;
  readonly splits_from?: number | null;
}

export type GraphName = keyof typeof texts.charts;
export type FigureName = keyof typeof texts.figures;

/** A chart of the page: a graph of the control plane, and the figures that are drawn as lines. */
export interface ChartOf {
  readonly graph: GraphName;
  readonly lines: readonly FigureName[];
  /** The figure that is drawn for each value if requests are split. */
  readonly splitLine: FigureName;
  readonly unit: 'count' | 'usd' | 'ms' | 'share';
}

/** The charts, in order. */
export const charts: readonly ChartOf[] = [
  { graph: 'requests', lines: ['total'], splitLine: 'total', unit: 'count' },
  { graph: 'errors', lines: ['total'], splitLine: 'total', unit: 'count' },
  { graph: 'cost', lines: ['total'], splitLine: 'total', unit: 'usd' },
  { graph: 'tokens', lines: ['input', 'output', 'cached'], splitLine: 'total', unit: 'count' },
  { graph: 'latency', lines: ['p50', 'p95', 'p99'], splitLine: 'p95', unit: 'ms' },
  { graph: 'first-byte', lines: ['p50', 'p95', 'p99'], splitLine: 'p95', unit: 'ms' },
  { graph: 'cache/hit-rate', lines: ['rate'], splitLine: 'rate', unit: 'share' },
  { graph: 'rescued', lines: ['total'], splitLine: 'total', unit: 'count' },
];

/** A line of a chart. */
export interface Line {
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** Whether the line belongs to the previous period. */
  readonly isBefore?: true;
}

const valuesOf = (points: readonly Point[], figure: FigureName): readonly (number | null)[] =>
  points.map((point) => point[figure] ?? null);

/** Returns the name of a value by which requests are split. */
export const valueName = ({ value, is_other }: { readonly value: string | null; readonly is_other?: true }): string => {
  if (is_other === true) return texts.others;
  return value === null || value === '' ? texts.none : value;
};

/** Returns the lines of a chart. The previous period has only one: p95 if the chart has it, otherwise the first one. */
export const toLines = ({ lines, splitLine }: ChartOf, graph: Graph, before?: Graph): readonly Line[] => {
  if (graph.splits !== undefined)
    return graph.splits.map((split) => ({ name: valueName(split), values: valuesOf(split.data_points, splitLine) }));
  const now = lines.map((figure) => ({
    name: texts.figures[figure],
    values: valuesOf(graph.data_points, figure),
  }));
  const [first] = lines.includes('p95') ? (['p95'] as const) : lines;
  if (before === undefined || first === undefined) return now;
  const values = valuesOf(before.data_points, first).slice(0, graph.data_points.length);
  return [...now, { name: texts.before(texts.figures[first]), values, isBefore: true }];
};

/** Lists the figures in the table and the CSV of a graph, in the order of the response. */
export const figuresOf = ({ data_points: [first] }: Graph): readonly string[] =>
  Object.keys(first ?? {}).filter((name) => name !== 'timestamp');
