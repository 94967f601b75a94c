/**
 * `npm run bench:soak`: puts a fixed rate on an installed gateway with keys, the ledger, a policy and the log. `--minutes=30
 * --rate=2000`. Prints a line every minute, and at the end whether the ledger matches the answers exactly. Exits with 1 if it
 * does not, if a request failed, or if the log dropped a record. Linux only: it reads /proc.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildGateway } from '../harness/built-gateway.ts';
import { type Ports, single } from '../harness/configs.ts';
import { ControlClient } from '../harness/control-client.ts';
import { number } from '../harness/figures.ts';
import { putReportedLoad, residentMb, type Server, startServer } from '../harness/measure.ts';
import { loadOn, startUpstream } from '../harness/running.ts';
import { startFlags, storeThreadsEnvironment } from '../harness/serve-args.ts';
import { type Subject, savedConfig } from '../harness/subject.ts';
import { makeStore, storedConfig, storeEnvironment } from '../teams/bench-store.ts';
import { readLogPage } from '../teams/ready-page.ts';
import { type Sums, sumsAfter, toFaults } from './soak-faults.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, rate: { type: 'string', default: '2000' } },
});
const minutes = Number(values.minutes);
const rate = Number(values.rate);
if (!(minutes > 0 && rate > 0))
  throw new Error('--minutes and --rate are numbers above 0, such as --minutes=30 --rate=2000.');

const firstPort = Number(process.env.BENCH_PORT ?? 19_500);
const ports: Ports = { upstream: firstPort, receiver: firstPort + 1, first: firstPort + 10 };
const longestWriteMs = 60_000;

const readSums = async (port: number): Promise<Sums> => {
  const client = new ControlClient(port);
  try {
    const { summary } = await client.made('GET /usage?workspace_id=default');
    return { ...summary, nano_usd: BigInt(summary.nano_usd) };
  } finally {
    client.close();
  }
};

/** Waits until the ledger has at least this number of attempts. */
const written = async (port: number, attempts: number): Promise<Sums> => {
  const until = performance.now() + longestWriteMs;
  for (;;) {
    const sums = await readSums(port);
    if (sums.attempts >= attempts || performance.now() > until) return sums;
    await setTimeout(500);
  }
};

const megabytes = (file: string): number => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) / 1024 / 1024;

const sizes = (folder: string): readonly string[] =>
  ['gateway.db', 'gateway.db-wal', 'gateway-log.db', 'gateway-log.db-wal'].map((name) =>
    number(megabytes(path.join(folder, name))),
  );

const columns = [
  ...['minute', 'requests', 'failures', 'p99, ms', 'log records dropped', 'waiting', 'not in the ledger yet', 'MB'],
  ...['store, MB', 'its journal', 'log, MB', 'its journal'],
];
const print = (cells: readonly (string | number)[]): void => void process.stdout.write(`| ${cells.join(' | ')} |\n`);

const soak = async (subject: Subject, server: Server, folder: string): Promise<readonly string[]> => {
  // The ledger already has the request that showed that the gateway is ready. All requests have the same cost as this one.
  const before = await written(server.port, 1);
  print(columns);
  print(columns.map(() => '---:'));
  let [minute, answers] = [0, 0];
  const kind = { mode: 'open', connections: 64, rate, seconds: minutes * 60 } as const;
  const options = { ...loadOn({ subject, server }, '', kind), reportSeconds: 60 };
  const total = await putReportedLoad(options, async (period) => {
    minute += 1;
    answers += period.answers;
    const [log, sums] = await Promise.all([readLogPage(server.port), readSums(server.port)]);
    print([
      ...[minute, period.answers, period.failures, number(period.p99), log.dropped, log.waiting],
      Math.max(0, before.attempts + answers - sums.attempts),
      ...[number(residentMb(server.pid), 0), ...sizes(folder)],
    ]);
  });
  const expected = sumsAfter(before, total.answers);
  const found = await written(server.port, expected.attempts);
  const { dropped } = await readLogPage(server.port);
  const cost = `${found.nano_usd} nano-dollars`;
  process.stdout.write(
    `${total.answers} answers, p99 ${number(total.p99)} ms; the ledger has ${found.attempts - before.attempts} attempts of them, ${cost} in all.\n`,
  );
  return toFaults({ failures: total.failures, dropped, expected, found });
};

const folder = mkdtempSync(path.join(tmpdir(), 'gw-soak-'));
const stopUpstream = await startUpstream(ports);
try {
  const gateway = await buildGateway(folder);
  const { gatewayFile, key } = await makeStore({ ports, folder, config: single, isLimited: true });
  const subject = savedConfig('gateway', ports.first, {
    ...{ args: ['--config', gatewayFile], gateway, flags: startFlags(), config: storedConfig },
    ...{ headers: { 'x-gw-api-key': key }, env: { ...storeEnvironment, ...storeThreadsEnvironment } },
  });
  const server = await startServer({ ...subject.server, hasDefaultFlags: true });
  try {
    const errors = await soak(subject, server, folder);
    for (const error of errors) process.stderr.write(`${error}\n`);
    process.stdout.write(errors.length === 0 ? 'Exact: nothing failed, nothing was dropped.\n' : '');
    process.exitCode = errors.length === 0 ? 0 : 1;
  } finally {
    await server.stop();
  }
} finally {
  stopUpstream();
  rmSync(folder, { recursive: true, force: true });
}
