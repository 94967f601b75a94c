import {
  hasHint,
  isAtLine,
  isDisputed,
  isFound,
  isWronglyReported,
  missingNames,
  mistakeClasses,
  type Outcome,
} from './outcome.ts';

/** Aligns cells. The first row contains the titles. */
export const toTable = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

const columns: readonly (readonly [name: string, holds: (outcome: Outcome) => boolean])[] = [
  ['found', isFound],
  ['at the right line', isAtLine],
  ['with a hint', hasHint],
  ['wrongly reported', isWronglyReported],
  ['disputed', isDisputed],
];

const toRow = (name: string, group: string, outcomes: readonly Outcome[]): readonly string[] => [
  name,
  group,
  String(outcomes.length),
  ...columns.map(([, holds]) => String(outcomes.filter(holds).length)),
];

/** Returns a table of how many mistakes are found, for each class and each group in it. */
export const toFindingsTable = (outcomes: readonly Outcome[]): string => {
  const rows = mistakeClasses.flatMap((name) => {
    const own = outcomes.filter(({ entry }) => entry.class === name);
    const groups = [...new Set(own.map(({ entry }) => entry.group))].sort();
    return [
      toRow(name, 'all', own),
      ...groups.map((group) =>
        toRow(
          '',
          group,
          own.filter(({ entry }) => entry.group === group),
        ),
      ),
    ];
  });
  return toTable([['class', 'group', 'configs', ...columns.map(([name]) => name)], ...rows]);
};

/** Returns one line for each mistake that is missed, and for each whose finding lacks the wanted information. */
export const toMisses = (outcomes: readonly Outcome[]): string =>
  outcomes
    .flatMap((outcome) => {
      const { entry, findings } = outcome;
      const missing = missingNames(outcome);
      if (isAtLine(outcome) && hasHint(outcome) && missing.length === 0) return [];
      const said = findings.map(({ severity, code, span }) => `${severity}[${code}] at ${span.line}`).join(', ');
      const lines = entry.line.join(' or ');
      return `${entry.name}: wanted at ${lines}: ${entry.wanted}\n    ${said === '' ? 'nothing' : said}`;
    })
    .join('\n');
