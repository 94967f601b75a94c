/**
 * `npm run fuzz:commands -- --runs=N --workers=N --seed=N`: runs all commands of `gw` with random arguments and files, in several
 * processes.
 */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fuzzCommands } from './fuzz-commands.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000' },
    workers: { type: 'string', default: String(availableParallelism()) },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    worker: { type: 'boolean', default: false },
  },
});
const [runs, workers, seed] = [values.runs, values.workers, values.seed].map(Number) as [number, number, number];

/** How many runs a process does before it is replaced, because what commands load stays in memory. */
const runsAtOnce = 2000;

const runHere = async (): Promise<void> => {
  const parent = mkdtempSync(path.join(tmpdir(), 'gw-fuzz-'));
  process.env.HOME = parent;
  // Each gateway that starts to serve adds its own listeners.
  process.setMaxListeners(0);
  process.on('unhandledRejection', (error) => {
    process.stdout.write(`A promise was rejected, and nobody had asked for it: ${String(error)}\n`);
    process.exit(1);
  });
  try {
    await fuzzCommands(path.join(parent, 'here'), { numRuns: runs, seed });
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
  process.exit(0);
};

const runWorker = (numRuns: number, ownSeed: number): Promise<boolean> =>
  new Promise((resolve) => {
    const args = ['--worker', `--runs=${numRuns}`, `--seed=${ownSeed}`];
    const child = fork(import.meta.filename, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child.once('close', (code) => resolve(code === 0));
  });

const runAll = async (): Promise<void> => {
  let [left, part, isGood] = [runs, 0, true];
  const work = async (): Promise<void> => {
    while (left > 0) {
      const numRuns = Math.min(left, runsAtOnce);
      left -= numRuns;
      part += 1;
      const ownSeed = (seed + part) % 2 ** 31;
      if (await runWorker(numRuns, ownSeed)) continue;
      isGood = false;
      process.stdout.write(`It ended wrongly with --seed=${ownSeed} --runs=${numRuns} --worker.\n`);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  if (isGood) process.stdout.write(`${runs} runs, nothing ended wrongly.\n`);
  else process.exitCode = 1;
};

await (values.worker ? runHere() : runAll());
