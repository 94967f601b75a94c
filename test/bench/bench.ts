/**
 * `npm run bench`: the gateway beside a bare node:http + undici proxy, in interleaved rounds of one run, on loopback.
 * Every process serves all kinds of traffic before it is measured. Prints a table; ratios are medians of each round's. On a
 * machine that others share, `--rounds=20 --seconds=1` and the quickest round tell more.
 * `--rounds=5 --seconds=3 --only=chat,steady,fallback,streams,open,large,start,memory,allocation,compile`; `steady` at a rate. Linux only: it reads /proc.
 * `--against=../other` measures another checkout beside this one instead, and gives the ratio of the two; `--guarded` a
 * target with checks and one with a cache; `--stored` a saved config with a store and a service key; `--limited` the same
 * with a policy and the log, in memory and with Redis; `--observed` a target without and with metrics and traces.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { buildGateway } from './built-gateway.ts';
import type { LoadOptions, LoadResult } from './load.ts';
import {
  cpuMicros,
  holdStreams,
  median,
  putLoad,
  residentMb,
  type Server,
  servingMicros,
  startServer,
} from './measure.ts';
import { chatRequest, streamEvents, streamFrames } from './payloads.ts';
import {
  comparedSubjects,
  guardedSubjects,
  limitedSubjects,
  makeLimitedStore,
  makeStore,
  observedSubjects,
  type Subject,
  storedSubjects,
  subjects,
  type Traffic,
  writeConfigs,
} from './subjects.ts';

const here = import.meta.dirname;
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string', default: 'chat,steady,fallback,streams,open,large,start,memory,allocation,compile' },
    streams: { type: 'string', default: '5000' },
    against: { type: 'string' },
    guarded: { type: 'boolean', default: false },
    stored: { type: 'boolean', default: false },
    limited: { type: 'boolean', default: false },
    observed: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const phases = new Set(values.only.split(','));
const firstPort = Number(process.env.BENCH_PORT ?? 19_100);
const ports = { upstream: firstPort, receiver: firstPort + 1, first: firstPort + 10 };

type Samples = Map<string, number[]>;
const samples = new Map<string, Samples>();
const record = (subject: string, figure: string, value: number): void => {
  const figures = samples.get(subject) ?? new Map<string, number[]>();
  samples.set(subject, figures.set(figure, [...(figures.get(figure) ?? []), value]));
};
const roundsOf = (name: string, what: string): readonly number[] => samples.get(name)?.get(what) ?? [];
const figure = (subject: string, name: string): number => median(roundsOf(subject, name));
/** Other work on the machine only ever adds to a figure, so that the least of many short rounds has least of it. */
const quickest = (subject: string, name: string): number =>
  Math.min(...(samples.get(subject)?.get(name) ?? [Number.NaN]));

interface Running {
  readonly subject: Subject;
  readonly server: Server;
}

const loadOn = (
  { subject, server }: Running,
  traffic: Traffic,
  more: Pick<LoadOptions, 'mode' | 'connections'> & Partial<LoadOptions>,
): LoadOptions => ({
  port: server.port,
  body: chatRequest({ stream: traffic !== '' }),
  seconds,
  ...subject.route(traffic),
  ...more,
});

const steadyRate = 2500;

const noFailures = (name: string, { failures }: LoadResult): void => {
  if (failures > 0) throw new Error(`${name}: ${failures} requests failed.`);
};

/** One phase on one subject: the load, and the CPU time that the server spent on it. */
const measured = async (
  running: Running,
  options: LoadOptions,
): Promise<LoadResult & { readonly cpu: number; readonly serving: number }> => {
  const before = cpuMicros(running.server.pid);
  const servingBefore = servingMicros(running.server.pid);
  const result = await putLoad(options);
  noFailures(running.server.name, result);
  const { pid } = running.server;
  return { ...result, cpu: cpuMicros(pid) - before, serving: servingMicros(pid) - servingBefore };
};

const fallback = async (running: Running): Promise<void> => {
  const { subject, server } = running;
  if (subject.fallback === undefined) return;
  const options = { ...loadOn(running, '', { mode: 'closed', connections: 64 }), ...subject.fallback };
  const { cpu, answers } = await measured(running, options);
  record(server.name, 'cpu per fallback', cpu / answers);
};

/** All kinds of traffic, so that no code has seen only the kind that is measured. */
const warmUp = async (running: Running): Promise<void> => {
  await putLoad(loadOn(running, '', { mode: 'closed', connections: 64, seconds: 4 }));
  await putLoad(loadOn(running, '/paced', { mode: 'streams', connections: 50, seconds: 2 }));
  await putLoad(loadOn(running, '/flat-out', { mode: 'streams', connections: 16, seconds: 1 }));
  const body = chatRequest({ promptKb: 100 });
  await putLoad(loadOn(running, '', { mode: 'closed', connections: 16, seconds: 1, body }));
  const { fallback: falling, untraced: other } = running.subject;
  if (other !== undefined)
    await putLoad({ ...loadOn(running, '', { mode: 'closed', connections: 64, seconds: 2 }), ...other });
  if (falling === undefined) return;
  await putLoad({ ...loadOn(running, '', { mode: 'closed', connections: 64, seconds: 1 }), ...falling });
};

const allocation = async (subject: Subject): Promise<void> => {
  const server = await startServer({
    ...subject.server,
    port: subject.server.port + 50,
    countsAllocations: true,
  });
  const running = { subject, server };
  await warmUp(running);
  let answers = 0;
  let bytes = 0;
  const requests = await server.allocated(async () => {
    ({ answers } = await putLoad(loadOn(running, '', { mode: 'closed', connections: 64 })));
  });
  const chunks = await server.allocated(async () => {
    ({ bytes } = await putLoad(loadOn(running, '/paced', { mode: 'streams', connections: 50 })));
  });
  record(subject.server.name, 'KB per request', requests / answers / 1000);
  record(subject.server.name, 'KB per chunk', chunks / ((bytes / streamBytes) * streamEvents) / 1000);
  await server.stop();
};

const streamBytes = Buffer.byteLength(streamFrames.join(''));

/** What the figures of requests of which nothing is traced are called. */
const untraced = (figure: string): string => `${figure}, untraced`;

/** Requests of which nothing is traced, beside the others of the same process. */
const measureUntraced = async (running: Running, figure: string, options: LoadOptions): Promise<void> => {
  const { untraced: route } = running.subject;
  if (route === undefined) return;
  const { serving, answers } = await measured(running, { ...options, ...route });
  record(running.server.name, untraced(figure), serving / answers);
};

const chat = async (running: Running): Promise<void> => {
  const options = loadOn(running, '', { mode: 'closed', connections: 64 });
  const { cpu, serving, answers } = await measured(running, options);
  record(running.server.name, 'cpu per request', cpu / answers);
  record(running.server.name, 'serving thread per request', serving / answers);
  record(running.server.name, 'requests a second', answers / seconds);
  await measureUntraced(running, 'serving thread per request', options);
};

const large = async (running: Running): Promise<void> => {
  const body = chatRequest({ promptKb: 100 });
  const { cpu, answers } = await measured(running, loadOn(running, '', { mode: 'closed', connections: 16, body }));
  record(running.server.name, 'cpu per large request', cpu / answers);
};

const streams = async (running: Running): Promise<void> => {
  const { cpu, serving, bytes, firstContent } = await measured(
    running,
    loadOn(running, '/paced', { mode: 'streams', connections: 50 }),
  );
  const chunks = (bytes / streamBytes) * streamEvents;
  record(running.server.name, 'cpu per chunk', cpu / chunks);
  record(running.server.name, 'serving thread per chunk', serving / chunks);
  record(running.server.name, 'first content', firstContent);
};

const open = async (running: Running): Promise<void> => {
  const result = await measured(running, loadOn(running, '', { mode: 'open', connections: 64, rate: 1000 }));
  record(running.server.name, 'p99 at 1000 rps', result.p99);
};

/** At a rate that every subject can serve, so that all of them leave the machine as much time. */
const steady = async (running: Running): Promise<void> => {
  const options = loadOn(running, '', { mode: 'open', connections: 64, rate: steadyRate });
  const { serving, answers } = await measured(running, options);
  record(running.server.name, 'serving thread per request at a steady rate', serving / answers);
  await measureUntraced(running, 'serving thread per request at a steady rate', options);
};

/** While another program keeps the file of the log to itself, so that nothing can be written to it. */
const openWithoutLog = async (running: Running, logFile: string): Promise<void> => {
  const other = new DatabaseSync(logFile);
  other.exec('BEGIN IMMEDIATE');
  const result = await measured(running, loadOn(running, '', { mode: 'open', connections: 64, rate: 1000 }));
  other.exec('ROLLBACK');
  other.close();
  record(running.server.name, 'p99 with the log locked', result.p99);
};

/** The same, while the plan is swapped ten times a second. */
const openWithSwaps = async (running: Running, folder: string): Promise<void> => {
  const file = path.join(folder, 'configs/nested.json');
  const text = readFileSync(file, 'utf8');
  let swap = 0;
  const swapping = setInterval(() => {
    swap += 1;
    writeFileSync(file, text.replace('"attempts":2', `"attempts":${1 + (swap % 2)}`));
  }, 100);
  const result = await measured(running, loadOn(running, '', { mode: 'open', connections: 64, rate: 1000 }));
  clearInterval(swapping);
  writeFileSync(file, text);
  record(running.server.name, 'p99 with swaps', result.p99);
};

const memory = async (running: Running): Promise<void> => {
  const { pid, name } = running.server;
  record(name, 'memory after load', residentMb(pid));
  const count = Number(values.streams);
  const before = residentMb(pid);
  const release = await holdStreams(loadOn(running, '/held', { mode: 'hold', connections: count }));
  // Under traffic: each has an event every two seconds.
  await new Promise((resolve) => setTimeout(resolve, 6000));
  record(name, 'memory per open stream', ((residentMb(pid) - before) * 1024) / count);
  await release();
};

const start = async (subject: Subject): Promise<void> => {
  const server = await startServer({ ...subject.server, port: subject.server.port + 50 });
  record(subject.server.name, 'start', server.startMs);
  await server.stop();
};

const compilePlans = (folder: string): string => {
  const plans = path.join(folder, 'plans');
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [path.join(here, '../../gw.js'), 'compile', path.join(folder, 'configs'), '--out', plans, '--no-types'],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The benchmark's configs do not compile:\n${stdout}${stderr}`);
  return plans;
};

const startUpstream = async (): Promise<() => void> => {
  const child = spawn(process.execPath, [path.join(here, 'upstream.ts')], {
    env: { ...process.env, PORT: String(ports.upstream), RECEIVER_PORT: String(ports.receiver) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await new Promise((resolve) => child.once('message', resolve));
  return () => child.kill();
};

const number = (value: number, digits = 1): string => (Number.isNaN(value) ? '–' : value.toFixed(digits));
const ratio = (value: number, base: number): string =>
  Number.isNaN(value / base) ? '–' : `${(value / base).toFixed(2)} ×`;

/** A figure with its ratio to another subject's in the same round, the median of the rounds. */
const beside = (name: string, what: string, base: string): string => {
  const bases = roundsOf(base, what);
  const ratios = roundsOf(name, what).map((value, round) => value / (bases[round] ?? Number.NaN));
  return `${number(figure(name, what))} (${ratio(median(ratios), 1)})`;
};

const table = (names: readonly string[]): string => {
  const columns: readonly (readonly [string, (name: string) => string])[] = [
    ['CPU µs a request', (name) => beside(name, 'cpu per request', 'bare')],
    ['of these, on the serving thread', (name) => beside(name, 'serving thread per request', 'bare')],
    ['the same, the quickest round', (name) => number(quickest(name, 'serving thread per request'))],
    [
      `the same at ${steadyRate} requests a second`,
      (name) => beside(name, 'serving thread per request at a steady rate', 'bare'),
    ],
    ['the same, the quickest round', (name) => number(quickest(name, 'serving thread per request at a steady rate'))],
    ['CPU µs a request that falls back once', (name) => number(figure(name, 'cpu per fallback'))],
    ['requests a second', (name) => number(figure(name, 'requests a second'), 0)],
    ['CPU µs a chunk', (name) => beside(name, 'cpu per chunk', 'bare')],
    ['of these, on the serving thread', (name) => beside(name, 'serving thread per chunk', 'bare')],
    ['the same, the quickest round', (name) => number(quickest(name, 'serving thread per chunk'))],
    ['first text added, ms', (name) => number(figure(name, 'first content') - figure('bare', 'first content'), 2)],
    [
      'p99 added at 1,000 rps, ms',
      (name) => number(figure(name, 'p99 at 1000 rps') - figure('bare', 'p99 at 1000 rps'), 2),
    ],
    ['the same during swaps', (name) => number(figure(name, 'p99 with swaps') - figure('bare', 'p99 at 1000 rps'), 2)],
    [
      'the same while the log is locked',
      (name) => number(figure(name, 'p99 with the log locked') - figure('bare', 'p99 at 1000 rps'), 2),
    ],
    ['CPU µs, 100 KB prompt', (name) => beside(name, 'cpu per large request', 'bare, no parsing')],
    ['KB allocated a request', (name) => number(figure(name, 'KB per request'))],
    ['KB allocated a chunk', (name) => number(figure(name, 'KB per chunk'), 2)],
    ['start to first 200, ms', (name) => number(figure(name, 'start'), 0)],
    [
      'memory idle / after load, MB',
      (name) => `${number(figure(name, 'memory idle'), 0)} / ${number(figure(name, 'memory after load'), 0)}`,
    ],
    ['KB an open stream', (name) => number(figure(name, 'memory per open stream'))],
  ];
  const rows = columns.map(([title, cell]) => `| ${title} | ${names.map(cell).join(' | ')} |`);
  return [`| figure | ${names.join(' | ')} |`, `|---|${names.map(() => '---:').join('|')}|`, ...rows].join('\n');
};

/** The CPU time of subjects as multiples of others'. */
const multiples = (
  pairs: readonly (readonly [string, string])[],
  figures: readonly string[] = ['cpu per request', 'cpu per chunk'],
): string =>
  pairs
    .flatMap(([name, base]) => figures.map((what) => `${name}, ${what}: ${beside(name, what, base)} of ${base}\n`))
    .join('');

/** What the bare proxy takes for a request on the machine whose microseconds the targets are. */
const budgetBare = 33;

/** What a subject adds to other requests, as a share of what bare takes in the same round: the median of the rounds. */
const addedShare = (name: string, what: string, bases: readonly number[]): number => {
  const bares = roundsOf('bare', what);
  return median(
    roundsOf(name, what).map((value, round) => (value - (bases[round] ?? Number.NaN)) / (bares[round] ?? Number.NaN)),
  );
};

const addition = (name: string, what: string, [base, bases]: readonly [string, readonly number[]]): string => {
  const share = addedShare(name, what, bases);
  const micros = number(share * budgetBare);
  return `${name}, ${what}, added to ${base}: ${number(share, 2)} of bare, ${micros} µs where bare takes ${budgetBare}\n`;
};

const additions = (names: readonly string[], base: string): string =>
  ['serving thread per request', 'serving thread per request at a steady rate']
    .filter((what) => roundsOf('bare', what).length > 0)
    .flatMap((what) => names.map((name) => addition(name, what, [base, roundsOf(base, what)])))
    .join('');

/** What metrics and traces may add to a request, in microseconds where bare takes `budgetBare`. */
const observedMicros = 5;

/**
 * What metrics and traces add. At a steady rate all of them serve the same traffic, so that the target is for that; with
 * connections that are always busy, load, provider, gateway and the thread of traces share the machine's cores, and the figure is
 * shown without one for traces.
 */
const observedTable = (names: readonly string[], base: string): string => {
  const withUntraced = names.filter((name) =>
    running.some(({ subject }) => subject.untraced !== undefined && subject.server.name === name),
  );
  const target = `${number(observedMicros / budgetBare, 2)} (${number(observedMicros)})`;
  const rows = [
    [`${steadyRate.toLocaleString('en')} requests a second`, 'serving thread per request at a steady rate', target],
    ['64 connections, as fast as they can', 'serving thread per request', `metrics ${target}, traces none`],
  ] as const;
  const cell = (name: string, what: string, bases: readonly number[]): string => {
    const share = addedShare(name, what, bases);
    return `${number(share, 2)} (${number(share * budgetBare)})`;
  };
  const titles = [...names, ...withUntraced.map((name) => `${name}, beside untraced requests of their process`)];
  return [
    `| added, as a share of bare (µs where bare takes ${budgetBare}) | target | ${titles.join(' | ')} |`,
    `|---|---|${titles.map(() => '---:|').join('')}`,
    ...rows
      .filter(([, what]) => roundsOf('bare', what).length > 0)
      .map(([title, what, aim]) => {
        const cells = [
          ...names.map((name) => cell(name, what, roundsOf(base, what))),
          ...withUntraced.map((name) => cell(name, what, roundsOf(name, untraced(what)))),
        ];
        return `| ${title} | ${aim} | ${cells.join(' | ')} |`;
      }),
    '',
  ].join('\n');
};

/** This checkout's CPU time as a multiple of the other's. */
const comparison = (): string =>
  multiples([
    ['single', 'single, the other checkout'],
    ['single, as npm start', 'single as npm start, the other checkout'],
  ]);

const files = writeConfigs(ports);
const stopUpstream = await startUpstream();
const { against, guarded, stored, limited, observed } = values;
const measuredSubjects = async (): Promise<readonly Subject[]> => {
  if (against !== undefined) return comparedSubjects(ports, path.resolve(against));
  if (limited) return limitedSubjects(ports, files.gatewayFile, await makeLimitedStore(ports, files.folder));
  if (stored) return storedSubjects(ports, files.gatewayFile, await makeStore(ports, files.folder));
  if (observed) return observedSubjects(ports, files.folder);
  if (guarded) return guardedSubjects(ports);
  const installed = path.dirname(await buildGateway(files.folder));
  return subjects(ports, { ...files, plans: compilePlans(files.folder), installed });
};
const all = await measuredSubjects();
const running: Running[] = [];
try {
  if (phases.has('start'))
    for (let round = 0; round < rounds; round += 1) for (const subject of all) await start(subject);
  for (const subject of all) {
    const server = await startServer(subject.server);
    running.push({ subject, server });
    record(server.name, 'memory idle', residentMb(server.pid));
  }
  for (const each of running) await warmUp(each);
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? running : [...running].reverse();
    if (phases.has('chat')) for (const each of order) await chat(each);
    if (phases.has('fallback')) for (const each of order) await fallback(each);
    if (phases.has('streams')) for (const each of order) await streams(each);
    if (phases.has('large')) for (const each of order) await large(each);
    if (phases.has('open')) for (const each of order) await open(each);
    if (phases.has('steady')) for (const each of order) await steady(each);
    if (phases.has('open'))
      for (const each of order)
        if (each.subject.logFile !== undefined) await openWithoutLog(each, each.subject.logFile);
    const isUsual = against === undefined && !guarded && !stored && !limited && !observed;
    const swappable = isUsual ? running.at(-1) : undefined;
    if (phases.has('open') && swappable !== undefined) await openWithSwaps(swappable, files.folder);
    process.stderr.write(`round ${round + 1} of ${rounds}\n`);
  }
  if (phases.has('memory')) for (const each of running) await memory(each);
  if (phases.has('allocation')) for (const subject of all.slice(0, 4)) await allocation(subject);
  process.stdout.write(`${table(all.map(({ server }) => server.name))}\n`);
  if (against !== undefined) process.stdout.write(comparison());
  if (limited)
    process.stdout.write(
      multiples(
        [
          ...all.slice(2).map(({ server }) => [server.name, 'single (configs folder)'] as const),
          ...all.slice(4).map(({ server }) => [server.name, 'ledger'] as const),
        ],
        [
          'serving thread per request',
          'serving thread per request at a steady rate',
          'serving thread per chunk',
          'p99 at 1000 rps',
        ],
      ),
    );
  if (stored) process.stdout.write(multiples([['single (store, service key)', 'single (configs folder)']]));
  const added = all.slice(2).map(({ server: { name } }) => name);
  if (guarded) process.stdout.write(additions(added, 'single'));
  if (observed) process.stdout.write(`\n${observedTable(added, 'single')}`);
  if (phases.has('compile')) {
    const { stdout } = spawnSync(process.execPath, [path.join(here, 'compile-cost.ts')], { encoding: 'utf8' });
    const { bytes, freshMicros, againMicros } = JSON.parse(stdout);
    process.stdout.write(
      `\nCompiling a header config of ${bytes} bytes: ${number(freshMicros, 0)} µs; found again: ${number(againMicros, 2)} µs.\n`,
    );
  }
} finally {
  await Promise.all(running.map(({ server }) => server.stop()));
  stopUpstream();
}
