/**
 * `npm run bench:sinks`: what a log sink costs, and how its receiver affects concurrent requests. The receivers accept records,
 * are unreachable, answer after ten seconds, or refuse. Each has its own gateway with a store, in interleaved rounds. `--rounds=5
 * --seconds=2`. Linux only: it reads /proc.
 */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { configName, type Ports, single } from './harness/configs.ts';
import { adminKey } from './harness/control-client.ts';
import { cpuMicros, median, putLoad, type Server, servingMicros, startServer } from './harness/measure.ts';
import { chatRequest } from './harness/payloads.ts';
import { startUpstream } from './harness/running.ts';
import { serveArgs } from './harness/serve-args.ts';
import { makeStore, storedConfig, storeEnvironment } from './teams/bench-store.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '2' } },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const firstPort = Number(process.env.BENCH_PORT ?? 19_700);
const ports: Ports = { upstream: firstPort, receiver: firstPort + 1, first: firstPort + 10 };
const slowMs = 10_000;

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

interface Row {
  readonly name: string;
  /** The behaviour of the receiver; absent if there is no sink. */
  readonly serve?: Serve | 'away';
}

const end = (response: ServerResponse, status: number, headers: Record<string, string> = {}): void =>
  void response.writeHead(status, headers).end();

const rows: readonly Row[] = [
  { name: 'no sink' },
  {
    name: 'a webhook that takes records',
    serve: (request, response) => request.resume().on('end', () => end(response, 200)),
  },
  { name: 'one that is away', serve: 'away' },
  {
    name: 'one that answers after 10 s',
    serve: (request, response) =>
      request.resume().on('end', () => void setTimeout(slowMs).then(() => end(response, 200))),
  },
  {
    name: 'one that refuses (429)',
    serve: (request, response) => request.resume().on('end', () => end(response, 429, { 'retry-after': '1' })),
  },
];

const receivers: HttpServer[] = [];
const startReceiver = async (serve: Serve, port: number): Promise<void> => {
  const server = createServer(serve);
  receivers.push(server);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
};

interface Subject {
  readonly row: Row;
  readonly server: Server;
  readonly key: string;
  readonly cpu: number[];
  readonly serving: number[];
  readonly p50: number[];
  readonly p99: number[];
  failures: number;
}

const start = async (row: Row, index: number, parent: string): Promise<Subject> => {
  const folder = path.join(parent, String(index));
  mkdirSync(folder);
  const port = ports.first + 60 + index;
  if (typeof row.serve === 'function') await startReceiver(row.serve, port);
  const sinks =
    row.serve === undefined ? {} : { log: { sinks: [{ sink: 'webhook', url: `http://127.0.0.1:${port}` }] } };
  const { key, gatewayFile } = await makeStore({
    ports,
    folder,
    config: single,
    settings: { ...sinks, limits: { drain_ms: 3000 } },
  });
  const server = await startServer({
    ...{ name: row.name, port: ports.first + index },
    args: serveArgs(['--config', gatewayFile]),
    env: { GW_TRUSTED_HOSTS: '127.0.0.1', BENCH_KEY: 'bench-target-key', ...storeEnvironment },
    probe: { method: 'GET', path: '/livez' },
  });
  return { row, server, key, cpu: [], serving: [], p50: [], p99: [], failures: 0 };
};

const load = async ({ server, key }: Subject, forSeconds: number) => {
  return putLoad({
    ...{ port: server.port, body: chatRequest(), path: '/v1/chat/completions' },
    headers: { 'x-gw-api-key': key, 'x-gw-config': configName(storedConfig, '') },
    ...{ mode: 'open' as const, rate: 400, connections: 128, uncountedSeconds: 0.5, seconds: forSeconds },
  });
};

/** Returns the numbers of records that wait in a sink, were delivered, and were dropped. */
const counts = async ({ server }: Subject): Promise<string> => {
  const answer = await fetch(`http://127.0.0.1:${server.port}/readyz`, { headers: { 'x-gw-api-key': adminKey } });
  const page = (await answer.json()) as { store?: { log?: { sinks?: readonly Record<string, number>[] } } };
  const [sink] = page.store?.log?.sinks ?? [];
  return sink === undefined ? '' : `${sink.waiting} / ${sink.delivered} / ${sink.dropped}`;
};

const stopUpstream = await startUpstream(ports);
const parent = mkdtempSync(path.join(tmpdir(), 'gw-bench-sinks-'));
const subjects: Subject[] = [];
try {
  for (const [index, row] of rows.entries()) subjects.push(await start(row, index, parent));
  for (const subject of subjects) await load(subject, 3);
  for (let round = 0; round < rounds; round += 1)
    for (const subject of subjects) {
      const { pid } = subject.server;
      const [cpu, serving] = [cpuMicros(pid), servingMicros(pid)];
      const { answers, failures, p50, p99 } = await load(subject, seconds);
      // Wait until buffered records are handed over and sent.
      await setTimeout(1500);
      subject.failures += failures;
      subject.cpu.push((cpuMicros(pid) - cpu) / answers);
      subject.serving.push((servingMicros(pid) - serving) / answers);
      subject.p50.push(p50);
      subject.p99.push(p99);
    }
  process.stdout.write(
    '| | CPU, µs a request | on the serving thread | p50, ms | p99, ms | failed | waiting / delivered / dropped |\n|---|---:|---:|---:|---:|---:|---:|\n',
  );
  for (const subject of subjects) {
    const { row, cpu, serving, p50, p99 } = subject;
    const figures = [
      median(cpu).toFixed(0),
      median(serving).toFixed(0),
      median(p50).toFixed(2),
      median(p99).toFixed(2),
    ];
    process.stdout.write(`| ${[row.name, ...figures, subject.failures, await counts(subject)].join(' | ')} |\n`);
  }
} finally {
  for (const { server } of subjects) await server.stop();
  for (const receiver of receivers) {
    receiver.closeAllConnections();
    receiver.close();
  }
  stopUpstream();
  rmSync(parent, { recursive: true, force: true });
}
