import { readSection, type Section, writeSection } from './cells/matrix-section.ts';
import { createTable, type Place } from './cells/matrix-table.ts';
import type { Settled } from './cells/settle-cell.ts';

/** A cell of a table that is written by a command instead of a test. */
export interface CommandCell extends Place {
  settle(): Promise<Settled>;
}

export interface CommandMatrix {
  readonly section: Section;
  /** The table's columns. */
  readonly scenarios: readonly string[];
  readonly cells: readonly CommandCell[];
  /** How many cells run at the same time. */
  readonly atOnce: number;
}

/**
 * Runs all cells, prints the failures and the tables, and writes the tables into MATRIX.md with `--write`. Sets the exit code
 * to 1 if a cell failed or differs from MATRIX.md.
 */
export const runMatrix = async ({ section, scenarios, cells, atOnce }: CommandMatrix): Promise<void> => {
  const table = createTable(scenarios);
  const waiting = cells.map((cell) => ({ cell, add: table.open(cell) }));
  let failed = 0;
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { cell, add } = next;
      const settled = await cell.settle();
      if ('outcome' in settled) add(settled.outcome);
      else {
        failed += 1;
        const { library, family, scenario, variant } = cell;
        process.stdout.write(`FAIL ${library}, ${family}: ${scenario}, ${variant}\n${settled.error}\n\n`);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const text = table.text();
  process.stdout.write(`${text}\n${cells.length} cells, of which ${failed} failed.\n`);
  if (process.argv.includes('--write')) writeSection(section, text);
  const isAsSaid = text === readSection(section);
  if (!isAsSaid) process.stdout.write('MATRIX.md says something else. Run it with --write, and read what changed.\n');
  if (failed > 0 || !isAsSaid) process.exitCode = 1;
};
