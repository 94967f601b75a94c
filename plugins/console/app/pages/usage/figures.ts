import { toDuration, toInteger, toMoney } from '../../parts/formats.ts';
import type { ChartOf } from './charts.ts';

const nano = 1e9;
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 2 });
const change = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

/** Shows a figure in its unit. */
export const toFigure = (value: number | null | undefined, unit: ChartOf['unit']): string => {
  if (value === null || value === undefined) return '–';
  if (unit === 'usd') return toMoney(value / nano);
  if (unit === 'ms') return toDuration(value);
  return unit === 'share' ? percent.format(value) : toInteger(value);
};

/** The same, short enough for an axis. */
export const toTick = (value: number, unit: ChartOf['unit']): string =>
  unit === 'count' ? compact.format(value) : toFigure(value, unit);

/** The unit of a figure of a graph: shares and averages are of others than the chart. */
export const unitOf = (figure: string, { graph, unit }: Pick<ChartOf, 'graph' | 'unit'>): ChartOf['unit'] => {
  if (figure === 'rate') return 'share';
  return graph === 'cache/hit-rate' ? 'count' : unit;
};

/** How a figure differs from the one before: `+12.5%`; undefined where there was none. */
export const toChange = (now: number | null | undefined, before: number | null | undefined): string | undefined =>
  typeof now !== 'number' || typeof before !== 'number' || before === 0
    ? undefined
    : change.format((now - before) / before);
