import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { toAddress } from '../../api/client.ts';
import { type KeyNames, nameKeys } from '../../api/name-keys.ts';
import { workspace } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { Card } from '../../components/small.tsx';
import { Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { texts } from '../../texts/usage.ts';
import { type ChartOf, figuresOf, type Graph, type Line, toLines } from './charts.ts';
import { toChange, toFigure, unitOf } from './figures.ts';
import { LineChart } from './line-chart.tsx';
import { toCsv } from './to-csv.ts';
import { toCurl } from './to-curl.ts';

export interface ChartCardProps {
  readonly chart: ChartOf;
  readonly graph: Graph;
  readonly before?: Graph | undefined;
  /** The names of the keys by which requests are split. */
  readonly names: KeyNames;
  /** The query of the API call. */
  readonly query: Readonly<Record<string, string | number | undefined>>;
  readonly onBrush: (from: number, to: number) => void;
}

const download = (name: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
};

const Legend = ({ lines }: { readonly lines: readonly Line[] }) => (
  <ul class="usage-legend">
    {lines.map(({ name, isBefore }, at) => (
      <li key={`${at} ${name}`}>
        <span class={`usage-swatch ${isBefore === true ? 'before' : `series-${(at % 6) + 1}`}`} aria-hidden="true" />
        <SafeText text={name} />
      </li>
    ))}
  </ul>
);

interface Row {
  readonly time: number;
  readonly at: number;
}

const FigureTable = ({
  chart,
  graph,
  lines,
}: {
  readonly chart: ChartOf;
  readonly graph: Graph;
  readonly lines: readonly Line[];
}) => {
  const rows: Row[] = graph.data_points.map(({ timestamp }, at) => ({ time: timestamp, at }));
  const figures =
    graph.splits === undefined
      ? figuresOf(graph).map((name) => ({
          title: texts.figures[name as keyof typeof texts.figures],
          cell: ({ at }: Row) => toFigure(graph.data_points[at]?.[name], unitOf(name, chart)),
        }))
      : lines.map(({ name, values }, place) => ({
          title: `${place + 1}. ${name}`,
          cell: ({ at }: Row) => toFigure(values[at], chart.unit),
        }));
  return (
    <Table
      caption={texts.tableOf(texts.charts[chart.graph])}
      columns={[
        { title: texts.time, cell: ({ time }: Row) => <Time seconds={time} /> },
        ...figures.map((column) => ({ ...column, isNumber: true })),
      ]}
      rows={rows}
      rowKey={({ time }) => String(time)}
    />
  );
};

/** A chart: its total, its lines, and the same data as a table, as CSV and as an API call. */
export const ChartCard = ({ chart, graph, before, names, query, onBrush }: ChartCardProps) => {
  const isTable = useSignal(false);
  const isCall = useSignal(false);
  const title = texts.charts[chart.graph];
  const lines = useMemo(
    () => toLines(chart, graph, before).map((line) => ({ ...line, name: nameKeys(line.name, names) })),
    [chart, graph, before, names],
  );
  const times = useMemo(() => graph.data_points.map(({ timestamp }) => timestamp), [graph]);
  const main = chart.lines.includes('p95') ? 'p95' : chart.graph === 'tokens' ? 'total' : chart.lines[0];
  const sum = main === undefined ? undefined : graph.summary[main];
  const difference = main === undefined ? undefined : toChange(sum, before?.summary[main]);
  const isUnknown = lines.every(({ values }) => values.every((value) => value === null));
  const path = `/analytics/graphs/${chart.graph}`;
  const shown = `${main?.startsWith('p') === true ? `${main} ` : ''}${toFigure(sum, chart.unit)}`;
  return (
    <Card
      title={title}
      actions={
        <div class="row">
          <Button
            size="small"
            kind="ghost"
            label={texts.tableOf(title)}
            onClick={() => {
              isTable.value = !isTable.value;
            }}
          >
            {texts.table}
          </Button>
          <Button
            size="small"
            kind="ghost"
            label={texts.csvOf(title)}
            onClick={() => download(`${chart.graph.replace('/', '-')}.csv`, toCsv(graph))}
          >
            {texts.csv}
          </Button>
          <Button
            size="small"
            kind="ghost"
            label={texts.callOf(title)}
            onClick={() => {
              isCall.value = !isCall.value;
            }}
          >
            {texts.call}
          </Button>
        </div>
      }
    >
      <p class="usage-sum" data-graph={chart.graph}>
        <strong>{shown}</strong>
        {difference !== undefined && <span class="muted"> {texts.change(difference)}</span>}
      </p>
      {isUnknown && <p class="muted">{texts.unknown}</p>}
      {graph.sampled === true && <p class="muted">{texts.sampled(graph.share ?? 0)}</p>}
      <LineChart label={`${title}: ${shown}`} times={times} lines={lines} unit={chart.unit} onBrush={onBrush} />
      {(lines.length > 1 || graph.splits !== undefined) && <Legend lines={lines} />}
      {isCall.value && (
        <>
          <p class="muted">{texts.callHint}</p>
          <CodeBlock text={toCurl(`${window.location.origin}${toAddress(path, query)}`, workspace.value)} />
        </>
      )}
      {isTable.value && <FigureTable chart={chart} graph={graph} lines={lines} />}
    </Card>
  );
};
