import { nanoPerUsd } from '../../../../../schema/usage/usage-record.ts';
import { toDuration, toInteger, toMoney } from '../../components/formats.ts';
import type { ChartOf } from './charts.ts';

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 2 });
const change = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

/** Formats a figure in its unit. */
export const toFigure = (value: number | null | undefined, unit: ChartOf['unit']): string => {
  if (value === null || value === undefined) return '–';
  if (unit === 'usd') return toMoney(value / nanoPerUsd);
  if (unit === 'ms') return toDuration(value);
  return unit === 'share' ? percent.format(value) : toInteger(value);
};

/** Formats a figure for an axis, where space is short. */
export const toTick = (value: number, unit: ChartOf['unit']): string =>
  unit === 'count' ? compact.format(value) : toFigure(value, unit);

/** Returns the unit of a figure. Shares and averages have other units than their chart. */
export const unitOf = (figure: string, { graph, unit }: Pick<ChartOf, 'graph' | 'unit'>): ChartOf['unit'] => {
  if (figure === 'rate') return 'share';
  return graph === 'cache/hit-rate' ? 'count' : unit;
};

/** Formats the change from a previous figure: `+12.5%`. Returns undefined if there was none. */
export const toChange = (now: number | null | undefined, before: number | null | undefined): string | undefined =>
  typeof now !== 'number' || typeof before !== 'number' || before === 0
    ? undefined
    : change.format((now - before) / before);
