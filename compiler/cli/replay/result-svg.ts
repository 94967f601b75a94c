import { escapeXml } from '../../../schema/text/escape-xml.ts';
import { formatDuration } from '../explain/words.ts';
import type { SimulationResult } from './result.ts';

const [left, right, plotWidth, plotHeight, gap] = [170, 110, 600, 60, 26];
const colours = ['#1f77b4', '#d95f02', '#2ca02c', '#9467bd', '#8c564b', '#17a2b8', '#c0392b', '#7f7f7f'] as const;

interface Series {
  readonly label: string;
  readonly values: readonly number[];
  readonly max: number;
  readonly scale: string;
}

/** Further series are omitted. */
const maxSeries = 40;

const toSeries = ({ moments, targets }: SimulationResult): readonly Series[] => {
  const times = moments.map(({ p95Ms = 0 }) => p95Ms);
  const slowest = Math.max(...times, 1);
  const calls = targets.map(({ target }) => ({ target, values: moments.map((moment) => moment.calls[target] ?? 0) }));
  const max = Math.max(...calls.flatMap(({ values }) => values), 1);
  const shares = moments.map(({ requests, succeeded }) => (requests === 0 ? 0 : (100 * succeeded) / requests));
  return [
    { label: 'answered with 2xx', values: shares, max: 100, scale: '100 %' },
    { label: 'latency, p95', values: times, max: slowest, scale: formatDuration(slowest) },
    ...calls.map(({ target, values }) => ({ label: `calls of ${target}`, values, max, scale: `${max}` })),
  ].slice(0, maxSeries);
};

const round = (value: number): number => Math.round(value * 100) / 100;

const seriesMarkup = ({ label, values, max, scale }: Series, index: number): string => {
  const top = gap + index * (plotHeight + gap);
  const step = plotWidth / values.length;
  const points = values.flatMap((value, at) => {
    const y = round(top + plotHeight * (1 - value / max));
    return [`${round(left + at * step)},${y}`, `${round(left + (at + 1) * step)},${y}`];
  });
  const colour = colours[index % colours.length];
  const base = top + plotHeight;
  return [
    `<text x="${left - 10}" y="${top + plotHeight / 2}" text-anchor="end">${escapeXml(label)}</text>`,
    `<line x1="${left}" y1="${base}" x2="${left + plotWidth}" y2="${base}" stroke="#999"/>`,
    `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="1.5"/>`,
    `<text x="${left + plotWidth + 8}" y="${top + 10}">${escapeXml(scale)}</text>`,
    `<text x="${left + plotWidth + 8}" y="${base}">0</text>`,
  ].join('\n');
};

/** Draws the course of a simulation. Ends with a newline. */
export const resultSvg = (result: SimulationResult): string => {
  const series = toSeries(result);
  const [width, height] = [left + plotWidth + right, gap + series.length * (plotHeight + gap) + 10];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<title>${escapeXml(`${result.requests} requests in ${formatDuration(result.durationMs)}, seed ${result.seed}`)}</title>`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    ...series.map(seriesMarkup),
    `<text x="${left}" y="${height - 8}">0</text>`,
    `<text x="${left + plotWidth}" y="${height - 8}" text-anchor="end">${escapeXml(formatDuration(result.durationMs))}</text>`,
    '</svg>',
    '',
  ].join('\n');
};
