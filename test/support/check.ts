/** `npm run check`: everything that can be known of the sources without running the tests. Prints what failed, and exits 1. */
import { spawnSync } from 'node:child_process';

interface Step {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

const steps: readonly Step[] = [
  { name: 'types', command: ['tsc', '-p', '.'] },
  { name: 'lint and format', command: ['biome', 'check', '--error-on-warnings', '.'] },
  { name: 'boundaries', command: ['node', 'test/support/boundaries.ts'] },
  { name: 'generated files are fresh', command: ['node', 'schema/generate.ts', '--check'] },
  {
    name: 'control segments are fresh',
    command: ['node', 'test/support/generate-control-segments.ts', '--check'],
  },
  { name: 'dead code', command: ['knip', '--no-progress'] },
];

const failed = steps.filter(({ name, command: [program, ...args] }) => {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  process.stdout.write(`${status === 0 ? 'ok  ' : 'FAIL'} ${name}\n`);
  if (status !== 0) process.stdout.write(`${stdout}${stderr}\n`);
  return status !== 0;
});
process.exitCode = failed.length === 0 ? 0 : 1;
