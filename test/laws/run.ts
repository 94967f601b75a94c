/**
 * Tries laws as often as is asked for: `npm run law:diff -- --runs=2000` those of `gw diff`, and
 * `npm run law:plans -- --runs=100000` that rewriting, compiling and running keep the meaning of plans; laws whose cases are dear a
 * quarter as often. `--only=running` chooses one of the files. The runs are shared out among as many processes as there are
 * processors, `--share=1000` at a time; each share has a seed, which is printed, and `--seed=` starts from one again. The first
 * counterexample is printed, and ends all with exit status 1.
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

/** Of fast-check, which takes a signed number of 32 bits. */
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

/** By turns those of each file, so that all have been tried about as often when someone ends it early. */
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

/** One for all workers: each takes what is next, and one that ends early ends it for all. */
const left = shares();
const work = async (): Promise<void> => {
  for (const share of left) {
    await tryShare(share);
    if (failed) return;
  }
};

// The first alone: it builds the gateway where the sources have changed, which two at once would do in one folder.
const first = left.next();
if (first.done !== true) await tryShare(first.value);
if (!failed) await Promise.all(Array.from({ length: availableParallelism() }, work));
