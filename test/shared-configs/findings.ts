/**
 * `npm run findings`: reports how many of the seeded mistakes are found, by class and group, and what is found in real configs.
 * The configs are next to the repository, or in the folder named by `SHARED_CONFIGS`. Exits with 1 if there are none.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toFindingsTable, toMisses, toTable } from './findings-table.ts';
import { mistakeEntries, mistakesGateway, readFindings } from './mistake-entry.ts';
import type { Outcome } from './outcome.ts';
import { checkRealConfigs } from './real-configs.ts';
import { sharedConfigsExist } from './shared-folder.ts';

const checkMistakes = async (): Promise<readonly Outcome[]> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'gw-'));
  try {
    await writeFile(path.join(folder, 'gateway.json'), mistakesGateway());
    const outcomes: Outcome[] = [];
    for (const entry of mistakeEntries()) outcomes.push({ entry, findings: await readFindings(entry, folder) });
    return outcomes;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Returns a table of how many real configs have a finding, by its severity and code. */
const toRealTable = (): string => {
  const configs = checkRealConfigs();
  const counts = new Map<string, string[]>();
  for (const { name, diagnostics } of configs)
    for (const found of new Set(diagnostics.map(({ severity, code }) => `${severity} ${code}`)))
      counts.set(found, [...(counts.get(found) ?? []), name.replace(/-.*/, '')]);
  const silent = configs.filter(({ diagnostics }) => diagnostics.length === 0).length;
  const rows = [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([found, names]) => [...found.split(' '), String(names.length), names.join(' ')]);
  const table = toTable([['severity', 'code', 'configs', 'which'], ...rows]);
  return `${configs.length} real configs, ${silent} of them without a finding\n${table}`;
};

if (!sharedConfigsExist) {
  process.stderr.write('No configs are there. Name their folder in SHARED_CONFIGS.\n');
  process.exit(1);
}
const outcomes = await checkMistakes();
process.stdout.write(`${toFindingsTable(outcomes)}\n\n${toRealTable()}\n`);
const misses = toMisses(outcomes);
if (misses !== '') process.stdout.write(`\nTo look at\n${misses}\n`);
