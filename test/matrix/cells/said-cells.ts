/** Marks a cell that a run has not tried. */
export const untried = '–';

const toWords = (row: string): readonly string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/**
 * Reads the cells of library tables, by library, provider and scenario. Reasons replace their numbers, because a run of a
 * sample numbers them differently. Untried cells are omitted.
 */
export const saidCells = (tables: string): ReadonlyMap<string, string> => {
  const said = new Map<string, string>();
  for (const table of tables.split(/^### /m).slice(1)) {
    const lines = table.split('\n');
    const [library = ''] = lines;
    const [head = [], , ...rows] = lines.filter((line) => line.startsWith('|')).map(toWords);
    const reasons = new Map(
      lines.flatMap((line) => [...line.matchAll(/^(\d+)\. (.+)$/g)].map(([, at, why]) => [at, why])),
    );
    for (const [family = '', ...cells] of rows)
      for (const [at, words] of cells.entries())
        if (words !== untried)
          said.set(
            [library, family, head[at + 1]].join(', '),
            words.replaceAll(/\((\d+)\)/g, (_, number: string) => `(${reasons.get(number)})`),
          );
  }
  return said;
};
