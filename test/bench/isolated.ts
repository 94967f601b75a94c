/**
 * `npm run bench:isolated`: how a misbehaving isolated plugin affects other requests. Each round starts a new gateway for each
 * act, so that no restart is still delayed by those of the previous round. It measures requests of a target without checks while
 * nothing else runs, and measures them again while another client calls the check, one call after another and at most `--calls`
 * per second. `--rounds=3 --seconds=5 --rate=200 --calls=50 --only=loop,memory`. The gateway is built first, because its
 * processes often exit and start again. Linux only: it reads /proc.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildGateway } from './harness/built-gateway.ts';
import type { LoadOptions } from './harness/load.ts';
import { cpuMicros, median, putLoad, type Server, startServer } from './harness/measure.ts';
import { chatRequest } from './harness/payloads.ts';
import { serveArgs } from './harness/serve-args.ts';
import { type Act, writeMisbehaving } from './misbehaving-plugin.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    rate: { type: 'string', default: '200' },
    calls: { type: 'string', default: '50' },
    only: { type: 'string', default: 'none,pass,loop,loop apart,memory,memory apart,timer' },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const rate = Number(values.rate);
const betweenCallsMs = 1000 / Number(values.calls);
/** Seconds whose answers are not counted. The other client starts after them. */
const uncountedSeconds = 1;
const here = import.meta.dirname;
const ports = { upstream: 19_300, gateway: 19_301 };
/** An act of the check, or the same work in a process that is not part of the gateway. */
type Measured = Act | 'loop apart' | 'memory apart';
const titles: Readonly<Record<Measured, string>> = {
  none: 'no check at all',
  pass: 'a check that passes',
  loop: 'a check in an endless loop',
  'loop apart': 'no check, beside another process in an endless loop',
  memory: 'a check that fills buffers',
  'memory apart': 'no check, beside another process that fills buffers',
  timer: 'a check that throws in a timer',
};
const acts = (Object.keys(titles) as readonly Measured[]).filter((act) => values.only.split(',').includes(act));

const loadOn = (server: Server, more: Partial<LoadOptions> = {}): LoadOptions => ({
  mode: 'open',
  port: server.port,
  path: '/v1/chat/completions',
  headers: { 'x-gw-config': 'plain' },
  body: chatRequest(),
  connections: 64,
  seconds,
  rate,
  ...more,
});

interface Window {
  readonly p50: number;
  readonly p99: number;
  readonly failures: number;
  /** CPU time of the gateway's own process, in milliseconds per second. */
  readonly cpu: number;
}

const measured = async (server: Server): Promise<Window> => {
  const before = cpuMicros(server.pid);
  const { p50, p99, failures } = await putLoad(loadOn(server, { uncountedSeconds }));
  return { p50, p99, failures, cpu: (cpuMicros(server.pid) - before) / 1000 / (uncountedSeconds + seconds) };
};

const call = (agent: Agent, port: number, act: Act): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-gw-config': act };
    const outgoing = request(
      { agent, host: '127.0.0.1', port, method: 'POST', path: '/v1/chat/completions', headers },
      (answer) => {
        answer.on('error', reject);
        answer.on('end', resolve);
        answer.resume();
      },
    );
    outgoing.on('error', reject);
    outgoing.end(chatRequest());
  });

/** Calls the check repeatedly. The returned function stops that and resolves with the number of answered calls. */
const callAgainAndAgain = (port: number, act: Act): (() => Promise<number>) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let calls = 0;
  let isStopped = false;
  const calling = (async () => {
    while (!isStopped) {
      const began = performance.now();
      await call(agent, port, act);
      calls += 1;
      await setTimeout(Math.max(0, began + betweenCallsMs - performance.now()));
    }
  })();
  return async () => {
    isStopped = true;
    await calling;
    agent.destroy();
    return calls;
  };
};

interface Pair {
  readonly quiet: Window;
  readonly disturbed: Window;
  /** Calls of the check per second. */
  readonly calls: number;
}

/** The scripts of processes that are not part of the gateway and work in place of a check. */
const scripts = {
  'loop apart': 'for (;;);',
  'memory apart': 'const kept = []; while (kept.length < 64) kept.push(Buffer.alloc(4 << 20, 1));',
};
/** Approximately how long the gateway waits before it restarts an isolated plugin. */
const betweenProcessesMs = 500;

/** Runs a script in a process with the priority of plugins, and restarts it whenever it exits. The returned function ends it. */
const runApart = (script: string): (() => void) => {
  let isStopped = false;
  let running: ChildProcess | undefined;
  const start = (): void => {
    if (isStopped) return;
    running = spawn(process.execPath, ['--eval', script], { stdio: 'ignore' });
    if (running.pid !== undefined) setPriority(running.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    running.once('exit', () => setTimeout(betweenProcessesMs).then(start));
  };
  start();
  return () => {
    isStopped = true;
    running?.kill('SIGKILL');
  };
};

const isApart = (act: Measured): act is keyof typeof scripts => Object.hasOwn(scripts, act);

const disturb = (port: number, act: Measured): (() => Promise<number>) => {
  if (!isApart(act)) return callAgainAndAgain(port, act);
  const stopCalls = callAgainAndAgain(port, 'none');
  const stopProcesses = runApart(scripts[act]);
  return () => {
    stopProcesses();
    return stopCalls();
  };
};

const files = writeMisbehaving(ports.upstream);
const gw = await buildGateway();

const readPair = async (act: Measured): Promise<Pair> => {
  const server = await startServer({
    name: 'gateway',
    port: ports.gateway,
    args: serveArgs(['--config', files.gatewayFile], gw),
    env: { BENCH_KEY: 'bench-target-key' },
    probe: { method: 'GET', path: '/livez' },
  });
  try {
    await putLoad(loadOn(server, { mode: 'closed', seconds: 3 }));
    await putLoad(loadOn(server, { seconds: 1 }));
    const quiet = await measured(server);
    const disturbing = setTimeout(uncountedSeconds * 1000).then(() => disturb(server.port, act));
    const disturbed = await measured(server);
    const stop = await disturbing;
    return { quiet, disturbed, calls: (await stop()) / seconds };
  } finally {
    await server.stop();
  }
};

const upstream = spawn(process.execPath, [path.join(here, 'harness/upstream.ts')], {
  env: { ...process.env, PORT: String(ports.upstream) },
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
});
await new Promise((resolve) => upstream.once('message', resolve));
try {
  const pairs = new Map<Measured, Pair[]>();
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? acts : [...acts].reverse();
    for (const act of order) pairs.set(act, [...(pairs.get(act) ?? []), await readPair(act)]);
    process.stderr.write(`round ${round + 1} of ${rounds}\n`);
  }
  const row = (title: string, windows: readonly Window[], times: string, calls: string): string => {
    const of = (name: keyof Window): number => median(windows.map((window) => window[name]));
    const failures = windows.reduce((sum, window) => sum + window.failures, 0);
    return `| ${title} | ${of('p50').toFixed(2)} | ${of('p99').toFixed(2)} | ${times} | ${failures} | ${of('cpu').toFixed(0)} | ${calls} |\n`;
  };
  const all = [...pairs.values()].flat();
  process.stdout.write(
    `| the other client calls | p50, ms | p99, ms | × quiet | failures | gateway's CPU, ms/s | calls of the check, /s |\n|---|---:|---:|---:|---:|---:|---:|\n`,
  );
  process.stdout.write(
    row(
      'nothing (quiet)',
      all.map(({ quiet }) => quiet),
      '',
      '',
    ),
  );
  for (const [act, of] of pairs) {
    const ratios = of.map(({ quiet, disturbed }) => disturbed.p99 / quiet.p99);
    const disturbed = of.map((pair) => pair.disturbed);
    const times = `${median(ratios).toFixed(2)} (${ratios.map((each) => each.toFixed(2)).join(', ')})`;
    process.stdout.write(row(titles[act], disturbed, times, median(of.map(({ calls }) => calls)).toFixed(1)));
  }
} finally {
  upstream.kill();
  for (const folder of [files.folder, path.dirname(gw)]) rmSync(folder, { recursive: true, force: true });
}
