/**
 * Runs laws as often as requested: `npm run law:diff -- --runs=2000` for those of `gw diff`, and `npm run law:plans --
 * --runs=100000` for those about rewriting, compiling and running plans. Laws with expensive cases run a quarter as often.
 * `--only=running` selects one of the files. The runs are split among as many processes as there are processors, `--share=1000`
 * at a time. Each share has a seed, which is printed, and `--seed=` starts from one again. The first counterexample is printed
 * and ends everything with exit status 1.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

interface Share {
  readonly name: string;
  readonly runs: number;
  readonly seed: number;
}

/** The limit of fast-check, which takes a signed 32-bit number. */
const seedLimit = 2 ** 31;

const { values, positionals } = parseArgs({
  options: {
    runs: { type: 'string', default: '2000' },
    share: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(randomInt(seedLimit)) },
    only: { type: 'string', multiple: true },
  },
  allowPositionals: true,
});

const count = (option: 'runs' | 'share' | 'seed', least: number): number => {
  const number = Number(values[option]);
  if (Number.isSafeInteger(number) && number >= least && number < seedLimit) return number;
  process.stderr.write(`--${option} is a whole number from ${least} to ${seedLimit - 1}, not ${values[option]}.\n`);
  process.exit(2);
};

const [runs, most, seed] = [count('runs', 1), count('share', 1), count('seed', 0)];
const names = values.only ?? positionals;

/** Alternates between the files, so that all have run about equally often if the command is stopped early. */
function* shares(): Generator<Share, void, void> {
  for (let begun = 0; begun < runs; begun += most)
    for (const name of names)
      yield { name, runs: Math.min(most, runs - begun), seed: (seed + begun / most) % seedLimit };
}

const began = performance.now();
const done = new Map<string, number>();
const running = new Set<ReturnType<typeof spawn>>();
let failed = false;

const tryShare = async (share: Share): Promise<void> => {
  const child = spawn('vitest', ['run', '--project=whole', `test/laws/${share.name}.test.ts`], {
    env: { ...process.env, LAW_RUNS: String(share.runs), LAW_SEED: String(share.seed) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => output.push(bytes));
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on('error', reject).on('close', resolve);
  const status = await promise;
  running.delete(child);
  if (failed) return;
  const seconds = Math.round((performance.now() - began) / 1000);
  if (status === 0) {
    const total = (done.get(share.name) ?? 0) + share.runs;
    done.set(share.name, total);
    process.stdout.write(`${share.name}: ${total} of ${runs} hold, seed ${share.seed}, ${seconds} s\n`);
    return;
  }
  failed = true;
  process.exitCode = 1;
  for (const other of running) other.kill();
  process.stdout.write(Buffer.concat(output));
  const again = `--only=${share.name} --runs=${share.runs} --share=${share.runs} --seed=${share.seed}`;
  process.stdout.write(`${share.name}: fails after ${seconds} s; again with ${again}\n`);
};

/** Shared by all workers: each takes the next share, and a failure ends all of them. */
const left = shares();
const work = async (): Promise<void> => {
  for (const share of left) {
    await tryShare(share);
    if (failed) return;
  }
};

// The first share runs alone: it builds the gateway if the sources have changed, and two builds would use the same folder.
const first = left.next();
if (first.done !== true) await tryShare(first.value);
if (!failed) await Promise.all(Array.from({ length: availableParallelism() }, work));
