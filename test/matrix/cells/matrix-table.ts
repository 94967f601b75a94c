import type { Verdict } from './judge-cell.ts';
import { untried } from './said-cells.ts';

/** The outcome of a cell. */
export type Outcome =
  | Pick<Verdict, 'lost' | 'isText'>
  /** It does not work, or works `without` something. */
  | { readonly reason: string; readonly without?: string };

/** The place of a cell in the tables. */
export interface Place {
  readonly library: string;
  readonly family: string;
  readonly scenario: string;
  /** What distinguishes it from other cells at the same place. */
  readonly variant: string;
}

export interface MatrixTable {
  /** Adds a cell, which counts as broken until its outcome is set. */
  open(place: Place): (outcome: Outcome) => void;
  /** Returns Markdown: a table for each library, followed by what the library cannot do. */
  text(): string;
}

interface Cell extends Place {
  outcome?: Outcome;
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const unique = (values: readonly string[]): readonly string[] => [...new Set(values)];

const toReasons = (cells: readonly Cell[]): readonly string[] =>
  unique(cells.flatMap(({ outcome }) => (outcome !== undefined && 'reason' in outcome ? [outcome.reason] : [])));

const done = (cells: readonly Cell[]): string => {
  const outcomes = cells.flatMap(({ outcome }) => (outcome === undefined || 'reason' in outcome ? [] : [outcome]));
  const lost = unique(outcomes.flatMap((each) => each.lost));
  if (lost.length > 0) return `loses ${lost.map((member) => `\`${member}\``).join(', ')}`;
  return outcomes.some(({ isText }) => isText) ? 'as text' : 'works';
};

const words = (cells: readonly Cell[], reasons: readonly string[]): string => {
  if (cells.some(({ outcome }) => outcome === undefined)) return '**broken**';
  const failed = cells.flatMap(({ variant, outcome }) => {
    if (outcome === undefined || !('reason' in outcome)) return [];
    const number = reasons.indexOf(outcome.reason) + 1;
    return [{ variant, text: `${outcome.without === undefined ? 'no' : `without ${outcome.without}`} (${number})` }];
  });
  if (failed.length === 0) return done(cells);
  if (unique(failed.map(({ text }) => text)).length === 1 && failed.length === cells.length)
    return failed[0]?.text ?? '';
  const listed = failed.map(({ variant, text }) => `${variant}: ${text}`);
  return [...(failed.length === cells.length ? [] : [done(cells)]), ...listed].join(', ');
};

const libraryText = (library: string, cells: readonly Cell[], scenarios: readonly string[]): readonly string[] => {
  const reasons = toReasons(cells);
  const rows = unique(cells.map(({ family }) => family)).map((family) => {
    const own = cells.filter((cell) => cell.family === family);
    const toCells = (id: string): readonly Cell[] => own.filter(({ scenario }) => scenario === id);
    return row([family, ...scenarios.map((id) => (toCells(id).length === 0 ? untried : words(toCells(id), reasons)))]);
  });
  return [
    `### ${library}`,
    '',
    row(['provider', ...scenarios]),
    row(['---', ...scenarios.map(() => '---')]),
    ...rows,
    '',
    ...(reasons.length === 0 ? [] : [...reasons.map((reason, at) => `${at + 1}. ${reason}`), '']),
  ];
};

/** Collects the cells for the scenarios with these ids. */
export const createTable = (scenarios: readonly string[]): MatrixTable => {
  const cells: Cell[] = [];
  return {
    open: (place) => {
      const cell: Cell = { ...place };
      cells.push(cell);
      return (outcome) => {
        cell.outcome = outcome;
      };
    },
    text: () =>
      unique(cells.map(({ library }) => library))
        .flatMap((library) =>
          libraryText(
            library,
            cells.filter((cell) => cell.library === library),
            scenarios,
          ),
        )
        .join('\n'),
  };
};
