/** Marks a cell of which a run has tried nothing. */
export const untried = '–';

const toWords = (row: string): readonly string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/**
 * What tables of libraries say, by library, provider and scenario, with reasons in place of their numbers: a run that tries
 * a sample numbers them otherwise. What was not tried is left out.
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
