import type { LogReplayed } from '../../../schema/forecast/log-replay.ts';
import { formatCount, formatNumber } from '../../../schema/text/format-count.ts';
import { printable } from '../../../schema/text/printable.ts';
import type { ReplayedLine, Route } from './replay-line.ts';
import { type ReplaySummary, routeText } from './replay-summary.ts';

/** Further ways are shown by `--format json`. */
const maxShown = 20;

interface DescribedOutcome {
  readonly kind: LogReplayed['kind'];
  readonly before: Route;
  readonly after?: Route;
  readonly lacks?: readonly string[];
}

/** Describes the outcome of a request: `elsewhere: gpt 200 → claude 200`. */
export const outcomeText = ({ kind, before, after, lacks = [] }: DescribedOutcome): string => {
  const about = `${kind}: ${routeText(before)}`;
  if (kind === 'undecided') return `${about}; the log lacks ${lacks.join(', ')}`;
  return kind === 'unchanged' || after === undefined ? about : `${about} → ${routeText(after)}`;
};

/** Describes a request of a log in one line; undefined for a line that is not a request. */
export const lineText = (replayed: ReplayedLine): string | undefined => {
  if (!('before' in replayed)) return undefined;
  const { line, trace } = replayed;
  return printable(`line ${line}${trace === undefined ? '' : ` (${trace})`}: ${outcomeText(replayed)}`);
};

/** Describes the outcomes of the requests of a log as text. Ends with a newline. */
export const summaryText = (summary: ReplaySummary, name: string): string => {
  const { requests, unchanged, elsewhere, refused, undecided, copies, other, unreadable, changes, lacks } = summary;
  const rows = [
    ['unchanged', unchanged],
    ['elsewhere', elsewhere],
    ['refused', refused],
    ['undecided', undecided],
  ] as const;
  const width = Math.max(...rows.map(([, count]) => formatNumber(count).length));
  const shown = changes.slice(0, maxShown);
  return [
    `${formatNumber(requests)} ${requests === 1 ? 'request' : 'requests'} of the log on ${name}:`,
    ...rows.map(([label, count]) => `  ${label.padEnd(9)}  ${formatNumber(count).padStart(width)}`),
    ...(shown.length === 0 ? [] : ['', 'Before → after']),
    ...shown.map((way) => `  ${formatNumber(way.requests)}  ${way.before} → ${way.after}`),
    ...(changes.length > shown.length ? [`  and ${formatNumber(changes.length - shown.length)} more ways`] : []),
    ...(lacks.length === 0 ? [] : ['', 'The log lacks what conditions read']),
    ...lacks.slice(0, maxShown).map(({ fact, requests: count }) => `  ${formatNumber(count)}  ${fact}`),
    ...(copies + other === 0
      ? []
      : [
          '',
          `${formatCount(other, 'line is', 'lines are')} no request, and ${formatCount(copies, 'is a copy', 'are copies')} of a mirror.`,
        ]),
    ...(unreadable === 0
      ? []
      : [
          '',
          `${formatCount(unreadable, 'request was skipped, which', 'requests were skipped, which')} could not be read.`,
        ]),
    '',
  ]
    .map(printable)
    .join('\n');
};

/** The number of unreadable lines that are reported individually. */
const maxReported = 20;

/** Reports the lines of a log that cannot be read: the first ones individually, and at the end how many more there are. */
export class UnreadableLines {
  readonly #write: (text: string) => void;
  #count = 0;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  look(line: ReplayedLine): void {
    if (line.kind !== 'unreadable') return;
    this.#count += 1;
    if (this.#count <= maxReported) this.#write(`gw: ${printable(line.why)}\n`);
  }

  end(): void {
    const more = this.#count - maxReported;
    if (more > 0) this.#write(`gw: ${formatCount(more, 'more line')} cannot be read.\n`);
  }
}
