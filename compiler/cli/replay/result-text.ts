import { alignColumns } from '../../../schema/text/align-columns.ts';
import { formatNumber } from '../../../schema/text/format-count.ts';
import { printable } from '../../../schema/text/printable.ts';
import { nanoPerUsd } from '../../../schema/usage/usage-record.ts';
import { formatPrice } from '../explain/describe-model.ts';
import { formatDuration } from '../explain/words.ts';
import type { Moment, SimulationResult } from './result.ts';

const blocks = ' ▁▂▃▄▅▆▇█';

/** Draws a row of columns, the highest of which is `max`. */
const columns = (values: readonly number[], max: number): string =>
  values.map((value) => blocks[value <= 0 || max <= 0 ? 0 : Math.max(1, Math.round((value / max) * 8))]).join('');

const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${Math.round((part / whole) * 10_000) / 100} %`;

/** Further targets are listed without their course. */
const maxPlotted = 12;

const plotRows = ({ moments, targets }: SimulationResult): readonly (readonly [string, string, string])[] => {
  const times = moments.map(({ p95Ms = 0 }) => p95Ms);
  const slowest = Math.max(...times);
  const callsOf = (target: string): readonly number[] => moments.map(({ calls }) => calls[target] ?? 0);
  const shown = targets.slice(0, maxPlotted).map(({ target }) => [target, callsOf(target)] as const);
  const max = Math.max(...shown.flatMap(([, calls]) => calls), 1);
  const share = ({ requests, succeeded }: Moment): number => (requests === 0 ? 0 : succeeded / requests);
  return [
    ['answered with 2xx', columns(moments.map(share), 1), 'of 100 %'],
    ['latency, p95', columns(times, slowest), `of ${formatDuration(slowest)}`],
    ...shown.map(([target, calls]) => [`calls of ${target}`, columns(calls, max), `of ${formatNumber(max)}`] as const),
  ];
};

/** Describes the result of a simulation as text, with its course over time. Ends with a newline. */
export const resultText = (result: SimulationResult): string => {
  const { seed, durationMs, requests, succeeded, statuses, latencyMs, targets, usd } = result;
  const others = Object.entries(statuses).filter(([status]) => !status.startsWith('2'));
  const facts: readonly (readonly [string, string])[] = [
    ['answered with 2xx', `${percent(succeeded, requests)} (${formatNumber(succeeded)})`],
    ...(others.length === 0
      ? []
      : [['other answers', others.map(([status, count]) => `${status}: ${formatNumber(count)}`).join(', ')] as const]),
    [
      'latency',
      `p50 ${formatDuration(latencyMs.p50)}, p90 ${formatDuration(latencyMs.p90)}, p99 ${formatDuration(latencyMs.p99)}, at most ${formatDuration(latencyMs.max)}`,
    ],
    ['cost', usd === undefined ? 'not known: a target has no price' : formatPrice(usd * nanoPerUsd)],
  ];
  const width = Math.max(...facts.map(([label]) => label.length));
  const table = [
    ['TARGET', 'CALLS', 'FAILED', 'COST'],
    ...targets.map(({ target, calls, failed, usd: own }) => [
      target,
      formatNumber(calls),
      percent(failed, calls),
      own === undefined ? 'not known' : formatPrice(own * nanoPerUsd),
    ]),
  ];
  const rows = plotRows(result);
  const labels = Math.max(...rows.map(([label]) => label.length));
  return [
    `${formatNumber(requests)} requests in ${formatDuration(durationMs)}, seed ${seed}`,
    '',
    ...facts.map(([label, text]) => `  ${label.padEnd(width)}  ${text}`),
    '',
    ...alignColumns(table).map((row) => `  ${row}`),
    '',
    `Over ${formatDuration(durationMs)}`,
    ...rows.map(([label, row, scale]) => `  ${label.padEnd(labels)} ▕${row}▏ ${scale}`),
    '',
  ]
    .map(printable)
    .join('\n');
};
