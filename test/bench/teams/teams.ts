import path from 'node:path';
import { buildGateway } from '../harness/built-gateway.ts';
import type { Ports } from '../harness/configs.ts';
import { besideBase, markdownTable, number } from '../harness/figures.ts';
import { putLoad, residentMb, startServer } from '../harness/measure.ts';
import { chat, open, type PhaseOptions, streams } from '../harness/phases.ts';
import { busy, type Running, warmUp } from '../harness/running.ts';
import { Samples } from '../harness/samples.ts';
import type { Subject } from '../harness/subject.ts';
import { readLogPage } from './ready-page.ts';
import { bareTitle, type TeamRow, teamRows } from './teams-subjects.ts';

export interface TeamsOptions {
  readonly ports: Ports;
  /** The folder in which the stores are created. */
  readonly folder: string;
  readonly rounds: number;
  readonly seconds: number;
  /** The titles of the rows to measure beside the bare proxy; all if absent. */
  readonly only?: readonly string[];
}

const rowPorts = 60;
const memorySeconds = 10;
const maxMemoryRounds = 3;

/** Measured in a process that serves nothing else before, so that the figure covers only this load. */
const measureMemory = async (subject: Subject, samples: Samples): Promise<void> => {
  const server = await startServer(subject.server);
  try {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    samples.record(server.name, 'memory idle', residentMb(server.pid));
    await putLoad(busy({ subject, server }, memorySeconds));
    samples.record(server.name, 'memory after load', residentMb(server.pid));
  } finally {
    await server.stop();
  }
};

const chosenRows = (rows: readonly TeamRow[], only: TeamsOptions['only']): readonly TeamRow[] => {
  if (only === undefined) return rows;
  const unknown = only.find((title) => !rows.some((row) => row.title === title));
  if (unknown !== undefined)
    throw new Error(`There is no row "${unknown}". There are: ${rows.map(({ title }) => title).join(', ')}.`);
  return rows.filter(({ title }) => title === bareTitle || only.includes(title));
};

interface MeasuredRow {
  readonly row: TeamRow;
  readonly running: Running;
}

/** Measures one round of all rows. */
const runRound = async (rows: readonly MeasuredRow[], options: PhaseOptions): Promise<void> => {
  for (const { running } of rows) await chat(running, options);
  for (const { row, running } of rows) if (row.hasStreams) await streams(running, options);
  for (const { running } of rows) await open(running, options);
};

const toTable = (rows: readonly TeamRow[], samples: Samples, dropped: ReadonlyMap<string, number>): string => {
  const times = besideBase(samples, bareTitle);
  const rate = besideBase(samples, bareTitle, 0);
  const cells = ({ title }: TeamRow): readonly string[] => [
    times(title, 'serving thread per request'),
    times(title, 'cpu per request'),
    times(title, 'serving thread per chunk'),
    rate(title, 'requests a second'),
    number(samples.figure(title, 'p99 at 1000 rps')),
    title === bareTitle ? '' : number(samples.added(title, 'p99 at 1000 rps', bareTitle)),
    number(samples.figure(title, 'memory idle'), 0),
    number(samples.figure(title, 'memory after load'), 0),
    String(dropped.get(title) ?? '–'),
  ];
  const head = [
    'as teams run it',
    'µs a request, serving thread',
    'all threads',
    'µs a chunk, serving thread',
    'requests a second',
    'p99 at 1,000 a second, ms',
    'added',
    'MB idle',
    'after load',
    'log records dropped',
  ];
  const missing = ({ missing: why = '' }: TeamRow): readonly string[] => [why, ...head.slice(2).map(() => '')];
  return markdownTable(
    head,
    rows.map((row) => [row.title, ...(row.missing === undefined ? cells(row) : missing(row))]),
  );
};

/** Measures gateways as teams run them, each row beside the bare proxy of the same run. Returns the table. */
export const measureTeams = async ({ ports, folder, rounds, seconds, only }: TeamsOptions): Promise<string> => {
  const gateway = await buildGateway(folder);
  const rows = chosenRows(await teamRows({ ports, folder: path.join(folder, 'teams'), gateway }), only);
  const samples = new Samples();
  const subjects: (readonly [TeamRow, Subject])[] = [];
  for (const [at, row] of rows.entries())
    if (row.missing === undefined) subjects.push([row, await row.make(ports.first + rowPorts + at)]);
  for (let round = 0; round < Math.min(rounds, maxMemoryRounds); round += 1)
    for (const [, subject] of subjects) await measureMemory(subject, samples);
  process.stderr.write('memory was measured\n');
  const started: MeasuredRow[] = [];
  try {
    for (const [row, subject] of subjects)
      started.push({ row, running: { subject, server: await startServer(subject.server) } });
    for (const { running } of started) await warmUp(running);
    for (let round = 0; round < rounds; round += 1) {
      const order = round % 2 === 0 ? started : [...started].reverse();
      await runRound(order, { samples, seconds, streams: 0 });
      process.stderr.write(`round ${round + 1} of ${rounds}, as teams run it\n`);
    }
    const dropped = new Map<string, number>();
    for (const { row, running } of started)
      if (row.hasLog) dropped.set(row.title, (await readLogPage(running.server.port)).dropped);
    return toTable(rows, samples, dropped);
  } finally {
    await Promise.all(started.map(({ running }) => running.server.stop()));
  }
};
