/**
 * `npm run bench:workers`: the cost of a request with several workers, and the memory that each further worker of an installed
 * gateway takes. `--workers=4 --seconds=5 --rounds=3 --connections=64`; `--store` adds a store, a key that a policy limits, its
 * ledger and its log; `--profiles=DIR` writes a CPU profile of each process.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildGateway } from './harness/built-gateway.ts';
import { ControlClient } from './harness/control-client.ts';
import { markdownTable } from './harness/figures.ts';
import { cpuMicros, median, putLoad } from './harness/measure.ts';
import { chatRequest } from './harness/payloads.ts';
import { storeEnvironment } from './teams/bench-store.ts';

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '64' },
    store: { type: 'boolean', default: false },
    profiles: { type: 'string' },
  },
});
const seconds = Number(values.seconds);

const parentOf = (pid: number): number => {
  try {
    return Number(/^\d+ \(.*\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
  } catch {
    return 0;
  }
};

/** Returns the processes of a gateway, including the first one. */
const processesOf = (pid: number): readonly number[] => [
  pid,
  ...readdirSync('/proc')
    .map(Number)
    .filter((each) => Number.isInteger(each) && parentOf(each) === pid),
];

/** Returns the memory in megabytes. Memory that processes share counts only once. */
const megabytes = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => {
    const [, kilobytes = '0'] = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
    return sum + Number(kilobytes) / 1024;
  }, 0);

const folder = mkdtempSync(path.join(tmpdir(), 'gw-bench-workers-'));
const gw = await buildGateway(folder);

interface Served {
  readonly child: ChildProcess;
  readonly port: number;
}

const costPolicy = {
  ...{ name: 'bench', workspace_id: 'default', type: 'cost', credit_limit: 1_000_000 },
  ...{ conditions: [{ key: 'workspace_id', value: '*' }], group_by: [{ key: 'api_key' }] },
};

/** Creates a service key that a policy limits. */
const makeKey = async (port: number): Promise<string> => {
  const client = new ControlClient(port);
  await client.made('POST /policies/usage-limits', { body: costPolicy });
  const made = await client.made('POST /api-keys/workspace/service', {
    body: { name: 'bench', scopes: ['completions.write'], workspace_id: 'default' },
  });
  client.close();
  return made.key;
};

/** The prices by which a cost limit reserves and settles amounts. */
const prices = { echo: { '*': { input: 1, output: 2 } } };

/** Starts a gateway that answers by itself, so that only its own work is measured. */
const serve = async (workers: number): Promise<Served> => {
  const place = path.join(folder, `of-${workers}`);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(path.join(place, 'configs'), { recursive: true });
  writeFileSync(
    path.join(place, 'gateway.json'),
    JSON.stringify({ configs: 'configs', default_config: 'main', prices }),
  );
  writeFileSync(path.join(place, 'configs/main.json'), JSON.stringify({ provider: 'echo' }));
  const { profiles, store } = values;
  const args = [
    ...(profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${path.resolve(profiles)}`]),
    ...['--max-semi-space-size=16', gw, 'serve', '--port', '0', '--workers', String(workers), '--drain-delay-ms', '0'],
    ...(store ? ['--store', 'gateway.db'] : []),
  ];
  const env = { ...process.env, ...(store ? storeEnvironment : {}) };
  const child = spawn(process.execPath, args, { cwd: place, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  for await (const part of child.stdout ?? []) {
    printed += part;
    const port = /listens on http:\/\/127\.0\.0\.1:(\d+)/.exec(printed)?.[1];
    if (port !== undefined) return { child, port: Number(port) };
  }
  throw new Error(`The gateway ended: ${printed}`);
};

interface Figures {
  /** Microseconds of CPU time of all processes. */
  readonly perRequest: number;
  readonly perSecond: number;
  readonly idleMegabytes: number;
  readonly loadedMegabytes: number;
}

const measure = async (workers: number): Promise<Figures> => {
  const { child, port } = await serve(workers);
  const key = values.store ? await makeKey(port) : undefined;
  const pids = processesOf(child.pid ?? 0);
  const load = (forSeconds: number) =>
    putLoad({
      ...{ mode: 'closed', port, connections: Number(values.connections), seconds: forSeconds },
      path: '/v1/chat/completions',
      headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'x-gw-api-key': key }) },
      body: chatRequest({ stream: false, isVaried: false }),
    });
  const idleMegabytes = megabytes(pids);
  // Each process compiles its own code.
  await load(2 * workers);
  const before = pids.reduce((sum, pid) => sum + cpuMicros(pid), 0);
  const { answers, failures } = await load(seconds);
  if (failures > 0) throw new Error(`${failures} requests failed.`);
  const spent = pids.reduce((sum, pid) => sum + cpuMicros(pid), 0) - before;
  const loadedMegabytes = megabytes(pids);
  // A process that is killed writes no profile.
  child.kill(values.profiles === undefined ? 'SIGKILL' : 'SIGTERM');
  await once(child, 'exit');
  return { perRequest: spent / answers, perSecond: answers / seconds, idleMegabytes, loadedMegabytes };
};

const counts = [...new Set([1, 2, 3, Number(values.workers)])].filter((count) => count <= Number(values.workers));
const rounds: Figures[][] = counts.map(() => []);
try {
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const [at, count] of counts.entries()) rounds[at]?.push(await measure(count));
  const rows = counts.map((count, at) => [
    String(count),
    ...(['perRequest', 'perSecond', 'idleMegabytes', 'loadedMegabytes'] as const).map((name) =>
      median((rounds[at] ?? []).map((figures) => figures[name])).toFixed(0),
    ),
  ]);
  process.stdout.write(
    `${markdownTable(['workers', 'CPU a request, µs', 'requests a second', 'PSS of all, MB', 'PSS under load, MB'], rows)}\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
