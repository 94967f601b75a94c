/** Tries the laws of `gw diff` on as many plans as are asked for: `npm run law:diff -- --runs=2000`. */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '2000' } } });
const { status } = spawnSync('vitest', ['run', 'test/laws/diff.test.ts'], {
  env: { ...process.env, LAW_RUNS: values.runs },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
