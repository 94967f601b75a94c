/**
 * `npm run bench`: compares the gateway with a bare node:http + undici proxy, in interleaved rounds of one run, on loopback.
 * Every process serves all kinds of traffic before it is measured. Prints a table, and then a table of gateways as teams run
 * them; ratios are the medians of the rounds' ratios. On a shared machine, `--rounds=20 --seconds=1` and the quickest round are
 * more reliable. `--rounds=5 --seconds=3 --only=chat,steady,fallback,streams,open,large,start,memory,allocation,compile,teams`;
 * `steady` runs at a fixed rate. Linux only: it reads /proc.
 * `--against=../other` measures another checkout beside this one instead, and prints the ratio of the two; `--guarded` measures
 * a target with checks and one with a cache; `--observed` a target without and with metrics and traces; `--teams` prints only
 * the second table, or with `--rows='+ ledger,+ log'` some of its rows.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { compileCost, compilePlans } from './compile/compile-plans.ts';
import { buildGateway } from './harness/built-gateway.ts';
import { type Ports, type WrittenConfigs, writeConfigs } from './harness/configs.ts';
import { residentMb, startServer } from './harness/measure.ts';
import { allocation, memory, openWithSwaps, type PhaseOptions, roundPhases, start } from './harness/phases.ts';
import { type Running, startUpstream, warmUp } from './harness/running.ts';
import { Samples } from './harness/samples.ts';
import type { Subject } from './harness/subject.ts';
import { comparedSubjects, guardedSubjects, observedSubjects, subjectConfigs, subjects } from './harness/subjects.ts';
import { additions, comparison, figuresTable, observedTable } from './harness/tables.ts';
import { measureTeams } from './teams/teams.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string', default: 'chat,steady,fallback,streams,open,large,start,memory,allocation,compile,teams' },
    streams: { type: 'string', default: '5000' },
    against: { type: 'string' },
    guarded: { type: 'boolean', default: false },
    observed: { type: 'boolean', default: false },
    teams: { type: 'boolean', default: false },
    rows: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const wanted = new Set(values.only.split(','));
const firstPort = Number(process.env.BENCH_PORT ?? 19_100);
const ports: Ports = { upstream: firstPort, receiver: firstPort + 1, first: firstPort + 10 };

/** The measured subjects, and the remarks that follow the table. */
interface Selected {
  readonly subjects: readonly Subject[];
  /** Whether the last subject serves a folder of configs, which is changed under load. */
  readonly hasFolder: boolean;
  remarks(samples: Samples): string;
}

const added = (all: readonly Subject[]): readonly string[] => all.slice(2).map(({ server: { name } }) => name);

const select = async (files: WrittenConfigs): Promise<Selected> => {
  const { against, guarded, observed } = values;
  if (against !== undefined)
    return { subjects: comparedSubjects(ports, path.resolve(against)), hasFolder: false, remarks: comparison };
  if (observed) {
    const all = observedSubjects(ports, files);
    return {
      subjects: all,
      hasFolder: false,
      remarks: (samples) => `\n${observedTable(samples, added(all), 'single')}`,
    };
  }
  if (guarded) {
    const all = guardedSubjects(ports);
    return { subjects: all, hasFolder: false, remarks: (samples) => additions(samples, added(all), 'single') };
  }
  const installed = path.dirname(await buildGateway(files.folder));
  const plans = compilePlans(files.folder);
  return { subjects: subjects(ports, { ...files, plans, installed }), hasFolder: true, remarks: () => '' };
};

/** @param folder the folder of configs that the last subject serves, if it serves one */
const runRounds = async (running: readonly Running[], options: PhaseOptions, folder?: string): Promise<void> => {
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? running : [...running].reverse();
    for (const [name, phase] of Object.entries(roundPhases))
      if (wanted.has(name)) for (const each of order) await phase(each, options);
    const last = running.at(-1);
    if (wanted.has('open') && folder !== undefined && last !== undefined) await openWithSwaps(last, folder, options);
    process.stderr.write(`round ${round + 1} of ${rounds}\n`);
  }
};

const measureSelected = async (files: WrittenConfigs): Promise<string> => {
  const { subjects: all, hasFolder, remarks } = await select(files);
  const samples = new Samples();
  const options: PhaseOptions = { samples, seconds, streams: Number(values.streams) };
  const running: Running[] = [];
  try {
    if (wanted.has('start'))
      for (let round = 0; round < rounds; round += 1) for (const subject of all) await start(subject, options);
    for (const subject of all) {
      const server = await startServer(subject.server);
      running.push({ subject, server });
      samples.record(server.name, 'memory idle', residentMb(server.pid));
    }
    for (const each of running) await warmUp(each);
    await runRounds(running, options, hasFolder ? files.folder : undefined);
    if (wanted.has('memory')) for (const each of running) await memory(each, options);
    if (wanted.has('allocation')) for (const subject of all.slice(0, 4)) await allocation(subject, options);
    const names = all.map(({ server }) => server.name);
    return `${figuresTable(samples, names)}${remarks(samples)}${wanted.has('compile') ? compileCost() : ''}`;
  } finally {
    await Promise.all(running.map(({ server }) => server.stop()));
  }
};

const isUsual = values.against === undefined && !values.guarded && !values.observed;
const files = writeConfigs(ports, subjectConfigs);
const stopUpstream = await startUpstream(ports);
try {
  if (!values.teams) process.stdout.write(await measureSelected(files));
  if (values.teams || (isUsual && wanted.has('teams'))) {
    const only = values.rows?.split(',').map((title) => title.trim());
    const { folder } = files;
    const table = await measureTeams({ ports, folder, rounds, seconds, ...(only === undefined ? {} : { only }) });
    process.stdout.write(`\n${table}`);
  }
} finally {
  stopUpstream();
  rmSync(files.folder, { recursive: true, force: true });
}
