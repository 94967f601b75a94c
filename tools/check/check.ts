/** `npm run check`: checks everything about the sources that needs no test run. Prints the failures and exits with 1. */
import { execFile } from 'node:child_process';

interface Step {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
}

const steps: readonly Step[] = [
  // Several checkers would repeat their common work, and garbage collection would take half of the time: this needs 17 seconds
  // of processor time instead of 30.
  { name: 'types', command: ['tsc', '-p', '.', '--singleThreaded'], env: { GOGC: '400' } },
  { name: 'types of the console', command: ['tsc', '-p', 'plugins/console/app', '--singleThreaded'] },
  { name: 'types of the site', command: ['tsc', '-p', 'docs/.vitepress', '--singleThreaded'] },
  { name: 'lint and format', command: ['biome', 'check', '--error-on-warnings', '.'] },
  { name: 'boundaries', command: ['node', 'tools/check/boundaries.ts'] },
  { name: 'generated files are fresh', command: ['node', 'schema/generate.ts', '--check'] },
  {
    name: 'control segments are fresh',
    command: ['node', 'tools/generate/generate-control-segments.ts', '--check'],
  },
  { name: 'scopes are fresh', command: ['node', 'tools/generate/generate-scopes.ts', '--check'] },
  {
    name: 'names of providers are fresh',
    command: ['node', 'tools/generate/generate-provider-names.ts', '--check'],
  },
  {
    name: 'validators of parameters are fresh',
    command: ['node', 'tools/generate/generate-validators.ts', '--check'],
  },
  {
    name: 'rules and the dashboard are fresh',
    command: ['node', 'deploy/monitoring/generate.ts', '--check'],
  },
  { name: 'the schema of values is fresh', command: ['node', 'deploy/helm/generate.ts', '--check'] },
  { name: 'the reference is fresh', command: ['node', 'tools/reference/generate.ts', '--check'] },
  { name: 'dead code', command: ['knip', '--no-progress'] },
];

interface Result {
  readonly name: string;
  /** Its output, if it failed. */
  readonly failure?: string;
}

const run = ({ name, command: [program, ...args], env = {} }: Step): Promise<Result> =>
  new Promise((resolve) => {
    const options = { maxBuffer: Number.POSITIVE_INFINITY, env: { ...process.env, ...env } };
    execFile(program, args, options, (error, stdout, stderr) => {
      resolve(error === null ? { name } : { name, failure: `${stdout}${stderr}` || error.message });
    });
  });

// All steps run at once, because not every one can use all processors.
for (const running of steps.map(run)) {
  const { name, failure } = await running;
  process.stdout.write(failure === undefined ? `ok   ${name}\n` : `FAIL ${name}\n${failure}\n`);
  if (failure !== undefined) process.exitCode = 1;
}
