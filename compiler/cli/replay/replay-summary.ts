import type { ReplayedLine, Route } from './replay-line.ts';

/** The requests of a log, counted by their outcome. */
export interface ReplaySummary {
  readonly requests: number;
  readonly unchanged: number;
  readonly elsewhere: number;
  readonly refused: number;
  readonly undecided: number;
  /** Copies that mirrors sent, which did not pass through a plan. */
  readonly copies: number;
  /** Lines that are not requests. */
  readonly other: number;
  /** Requests with contents that no request can have; these were skipped. */
  readonly unreadable: number;
  /** How many requests took one way instead of another, the most frequent first. */
  readonly changes: readonly { readonly before: string; readonly after: string; readonly requests: number }[];
  /** The facts that conditions read but the log lacks, with the number of requests. */
  readonly lacks: readonly { readonly fact: string; readonly requests: number }[];
}

/** Occurs in no name. */
const between = '\n';

/** Further different ways are not listed. */
const maxWays = 1000;

/** Describes the calls of a request in order, and its status if the last call does not imply it. */
export const routeText = ({ calls, status }: Route): string => {
  const last = calls.at(-1);
  const answered = last?.endsWith(` ${status}`) === true ? [] : [`${status} of the gateway`];
  return [...calls, ...answered].join(', ');
};

const countIn = (counts: Map<string, number>, key: string): void => {
  if (counts.has(key) || counts.size < maxWays) counts.set(key, (counts.get(key) ?? 0) + 1);
};

const byCount = (counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] =>
  [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));

/** Counts lines one by one, without keeping them. */
export class ReplayCounts {
  readonly #kinds = new Map<ReplayedLine['kind'], number>();
  readonly #ways = new Map<string, number>();
  readonly #lacks = new Map<string, number>();

  add(line: ReplayedLine): void {
    this.#kinds.set(line.kind, (this.#kinds.get(line.kind) ?? 0) + 1);
    if (line.kind === 'undecided') for (const fact of line.lacks) countIn(this.#lacks, fact);
    if (line.kind === 'elsewhere' || line.kind === 'refused')
      countIn(this.#ways, `${routeText(line.before)}${between}${routeText(line.after)}`);
  }

  #of(kind: ReplayedLine['kind']): number {
    return this.#kinds.get(kind) ?? 0;
  }

  summary(): ReplaySummary {
    const counts = {
      unchanged: this.#of('unchanged'),
      elsewhere: this.#of('elsewhere'),
      refused: this.#of('refused'),
      undecided: this.#of('undecided'),
    };
    return {
      requests: Object.values(counts).reduce((sum, count) => sum + count, 0),
      ...counts,
      ...{ copies: this.#of('copy'), other: this.#of('other'), unreadable: this.#of('unreadable') },
      changes: byCount(this.#ways).map(([way, requests]) => {
        const [before = '', after = ''] = way.split(between);
        return { before, after, requests };
      }),
      lacks: byCount(this.#lacks).map(([fact, requests]) => ({ fact, requests })),
    };
  }
}
