import type { VNode } from 'preact';
import { Button } from '../../components/button.tsx';
import { toDuration, toInteger } from '../../components/formats.ts';
import { SafeText } from '../../components/safe-text.tsx';
import { Card } from '../../components/small.tsx';
import { type Column, Table } from '../../components/table.tsx';
import type { PictureOverlay } from '../../plan-picture/overlay.ts';
import type { TargetFigures } from '../../plan-picture/target-figures.ts';
import { texts } from '../../texts/plan.ts';
import { type Circuit, isOpen } from './circuits.ts';
import type { LastHour } from './last-hour.ts';

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

const errorRate = ({ errors, requests }: TargetFigures): number => (requests === 0 ? 0 : errors / requests);

/** A target with at least this share of errors is highlighted. */
const badRate = 0.05;

/** Returns the overlay of a picture for figures of targets and their open circuits. */
export const toOverlay = ({ targets }: Pick<LastHour, 'targets'>, circuits: readonly Circuit[]): PictureOverlay => {
  const figures = new Map(hourFigures(targets));
  for (const circuit of circuits.filter(isOpen)) {
    const { target, state, failures, cause } = circuit;
    if (target === null) continue;
    const line = texts.circuits.line(texts.circuits.states[state], failures, cause ?? '');
    const before = figures.get(target)?.text;
    figures.set(target, { text: before === undefined ? line : `${line}; ${before}`, isBad: true });
  }
  return { figures };
};

const hourFigures = (
  targets: readonly TargetFigures[],
): readonly (readonly [target: string, figure: { readonly text: string; readonly isBad: boolean }])[] =>
  targets.map((each) => {
    const line = texts.figures.line(
      percent.format(each.share),
      percent.format(errorRate(each)),
      toDuration(each.p95Ms),
    );
    const open = each.openCircuit > 0 ? texts.figures.open(each.openCircuit) : '';
    return [each.target, { text: `${line}${open}`, isBad: errorRate(each) >= badRate || each.openCircuit > 0 }];
  });

const { columns: titles } = texts.figures;

const columns: readonly Column<TargetFigures>[] = [
  { title: titles.target, cell: ({ target }) => <SafeText text={target} /> },
  { title: titles.share, cell: ({ share }) => percent.format(share), isNumber: true },
  { title: titles.requests, cell: ({ requests }) => toInteger(requests), isNumber: true },
  {
    title: titles.errors,
    cell: (each) => `${toInteger(each.errors)} (${percent.format(errorRate(each))})`,
    isNumber: true,
  },
  { title: titles.p95, cell: ({ p95Ms }) => toDuration(p95Ms), isNumber: true },
  { title: titles.circuit, cell: ({ openCircuit }) => toInteger(openCircuit), isNumber: true },
];

/** A table of the targets of a config over the last hour. */
export const FigureTable = ({ hour, reload }: { readonly hour: LastHour; reload(): void }): VNode => (
  <Card
    title={texts.figures.title}
    actions={
      <Button size="small" onClick={reload}>
        {texts.figures.reload}
      </Button>
    }
  >
    {hour.targets.length === 0 ? (
      <p class="muted">{texts.figures.none}</p>
    ) : (
      <>
        <p class="muted">{hour.isSample ? texts.figures.sampled(hour.requests) : texts.figures.all(hour.requests)}</p>
        <Table caption={texts.figures.title} columns={columns} rows={hour.targets} rowKey={({ target }) => target} />
      </>
    )}
  </Card>
);
