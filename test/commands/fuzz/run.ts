/** `npm run fuzz:commands -- --runs=N`: runs commands of `gw` with random arguments and files. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fuzzCommands } from './fuzz-commands.ts';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '10000' } } });
const parent = mkdtempSync(path.join(tmpdir(), 'gw-fuzz-'));
process.env.HOME = parent;
try {
  await fuzzCommands(path.join(parent, 'here'), Number(values.runs));
  process.stdout.write(`${values.runs} runs, nothing ended wrongly.\n`);
} finally {
  rmSync(parent, { recursive: true, force: true });
}
