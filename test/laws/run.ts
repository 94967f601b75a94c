/**
 * Tries laws as often as is asked for: `npm run law:diff -- --runs=2000` those of `gw diff`, and
 * `npm run law:plans -- --runs=100000` that rewriting, compiling and running keep the meaning of plans; laws whose cases are dear a
 * quarter as often. `--only=running` chooses one of the files.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '2000' }, only: { type: 'string', multiple: true } },
  allowPositionals: true,
});
const files = (values.only ?? positionals).map((name) => `test/laws/${name}.test.ts`);
const { status } = spawnSync('vitest', ['run', ...files], {
  env: { ...process.env, LAW_RUNS: values.runs },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
