import { besideBase, markdownTable, multiple, number } from './figures.ts';
import { median } from './measure.ts';
import { steadyRate, untraced } from './phases.ts';
import type { Samples } from './samples.ts';

/** The figures of the subjects, one column each. */
export const figuresTable = (samples: Samples, names: readonly string[]): string => {
  const besideBare = besideBase(samples, 'bare');
  const besideUnparsed = besideBase(samples, 'bare, no parsing');
  const added = (name: string, figure: string, base = figure): string =>
    number(samples.figure(name, figure) - samples.figure('bare', base), 2);
  const serving = 'serving thread per request';
  const steady = 'serving thread per request at a steady rate';
  const rows: readonly (readonly [string, (name: string) => string])[] = [
    ['CPU µs a request', (name) => besideBare(name, 'cpu per request')],
    ['of these, on the serving thread', (name) => besideBare(name, serving)],
    ['the same, the quickest round', (name) => number(samples.quickest(name, serving))],
    [`the same at ${steadyRate} requests a second`, (name) => besideBare(name, steady)],
    ['the same, the quickest round', (name) => number(samples.quickest(name, steady))],
    ['CPU µs a request that falls back once', (name) => number(samples.figure(name, 'cpu per fallback'))],
    ['requests a second', (name) => number(samples.figure(name, 'requests a second'), 0)],
    ['CPU µs a chunk', (name) => besideBare(name, 'cpu per chunk')],
    ['of these, on the serving thread', (name) => besideBare(name, 'serving thread per chunk')],
    ['the same, the quickest round', (name) => number(samples.quickest(name, 'serving thread per chunk'))],
    ['first text added, ms', (name) => added(name, 'first content')],
    ['p99 added at 1,000 rps, ms', (name) => added(name, 'p99 at 1000 rps')],
    ['the same during swaps', (name) => added(name, 'p99 with swaps', 'p99 at 1000 rps')],
    ['CPU µs, 100 KB prompt', (name) => besideUnparsed(name, 'cpu per large request')],
    ['KB allocated a request', (name) => number(samples.figure(name, 'KB per request'))],
    ['KB allocated a chunk', (name) => number(samples.figure(name, 'KB per chunk'), 2)],
    ['start to first 200, ms', (name) => number(samples.figure(name, 'start'), 0)],
    [
      'memory idle / after load, MB',
      (name) =>
        `${number(samples.figure(name, 'memory idle'), 0)} / ${number(samples.figure(name, 'memory after load'), 0)}`,
    ],
    ['KB an open stream', (name) => number(samples.figure(name, 'memory per open stream'))],
  ];
  return markdownTable(
    ['figure', ...names],
    rows.map(([title, cell]) => [title, ...names.map(cell)]),
  );
};

/** Describes this checkout's CPU time as a multiple of the other's. */
export const comparison = (samples: Samples): string =>
  [
    ['single', 'single, the other checkout'] as const,
    ['single, as npm start', 'single as npm start, the other checkout'] as const,
  ]
    .flatMap(([name, base]) =>
      ['cpu per request', 'cpu per chunk'].map(
        (figure) => `${name}, ${figure}: ${multiple(samples.ratio(name, figure, base))} of ${base}\n`,
      ),
    )
    .join('');

/** Microseconds that the bare proxy takes for a request on the machine for which the targets are defined. */
const budgetBare = 33;

/** Returns what a subject adds to the time of the base, as a share of bare's time in the same round: the median of the rounds. */
const addedShare = (
  samples: Samples,
  { name, figure, base }: { readonly name: string; readonly figure: string; readonly base: readonly number[] },
): number => {
  const bares = samples.rounds('bare', figure);
  return median(
    samples
      .rounds(name, figure)
      .map((value, round) => (value - (base[round] ?? Number.NaN)) / (bares[round] ?? Number.NaN)),
  );
};

const servingFigures = ['serving thread per request', 'serving thread per request at a steady rate'] as const;

/** Describes what checks and caches add to a target without them. */
export const additions = (samples: Samples, names: readonly string[], base: string): string =>
  servingFigures
    .filter((figure) => samples.rounds('bare', figure).length > 0)
    .flatMap((figure) =>
      names.map((name) => {
        const share = addedShare(samples, { name, figure, base: samples.rounds(base, figure) });
        return `${name}, ${figure}, added to ${base}: ${number(share, 2)} of bare, ${number(share * budgetBare)} µs where bare takes ${budgetBare}\n`;
      }),
    )
    .join('');

/** The target for what metrics and traces may add to a request: microseconds on a machine where bare takes `budgetBare`. */
const observedMicros = 5;

/**
 * The table of what metrics and traces add. At a steady rate all subjects serve the same traffic, so the target applies to this
 * rate. With connections that are always busy, the load, the provider, the gateway and the trace thread share the machine's
 * cores, so traces have no target there.
 */
export const observedTable = (samples: Samples, names: readonly string[], base: string): string => {
  const withUntraced = names.filter((name) =>
    servingFigures.some((figure) => samples.rounds(name, untraced(figure)).length > 0),
  );
  const target = `${number(observedMicros / budgetBare, 2)} (${number(observedMicros)})`;
  const rows = [
    [`${steadyRate.toLocaleString('en')} requests a second`, servingFigures[1], target],
    ['64 connections, as fast as they can', servingFigures[0], `metrics ${target}, traces none`],
  ] as const;
  const cell = (name: string, figure: string, bases: readonly number[]): string => {
    const share = addedShare(samples, { name, figure, base: bases });
    return `${number(share, 2)} (${number(share * budgetBare)})`;
  };
  return markdownTable(
    [
      `added, as a share of bare (µs where bare takes ${budgetBare})`,
      'target',
      ...names,
      ...withUntraced.map((name) => `${name}, beside untraced requests of their process`),
    ],
    rows
      .filter(([, figure]) => samples.rounds('bare', figure).length > 0)
      .map(([title, figure, aim]) => [
        title,
        aim,
        ...names.map((name) => cell(name, figure, samples.rounds(base, figure))),
        ...withUntraced.map((name) => cell(name, figure, samples.rounds(name, untraced(figure)))),
      ]),
  );
};
