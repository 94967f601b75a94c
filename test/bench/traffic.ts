/**
 * `npm run bench:traffic`: what each way to choose, circuits, and each bound of a request cost. One gateway, in interleaved rounds; each
 * figure is the CPU time of a request above that of the load balance by weight which was measured just before.
 * `--rounds=9 --seconds=1`. Linux only: it reads /proc.
 */
import { parseArgs } from 'node:util';
import { type Ports, target } from './configs.ts';
import type { LoadOptions } from './load.ts';
import { cpuMicros, median, putLoad, type Server, startServer } from './measure.ts';
import { chatRequest } from './payloads.ts';
import { startUpstream } from './running.ts';
import { serveArgs } from './serve-args.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, seconds: { type: 'string', default: '1' } },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const firstPort = Number(process.env.BENCH_PORT ?? 19_600);
const ports: Ports = { upstream: firstPort, receiver: firstPort + 1, first: firstPort + 10 };

interface Way {
  readonly name: string;
  readonly strategy?: object;
  readonly root?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const circuit = { failure_threshold: 5, cooldown_interval: 30_000 };

const weight: Way = { name: 'weight' };
const ways: readonly Way[] = [
  // The same once more: what two measurements of one thing differ by.
  { name: 'weight, again' },
  ...['latency', 'least-busy', 'headroom', 'price'].map((balance) => ({ name: balance, strategy: { balance } })),
  ...['metadata.session', 'user', 'prompt-prefix'].map((by) => ({
    name: `sticky by ${by}`,
    strategy: { sticky: { by } },
  })),
  { name: 'require', strategy: { require: 'capabilities' } },
  { name: 'fallback', strategy: { mode: 'fallback' } },
  { name: 'fallback, hedged', strategy: { mode: 'fallback', hedge: { after_ms: 30_000 } } },
  { name: 'cb_config', root: { cb_config: circuit } },
  { name: 'breaker by model and error', root: { cb_config: circuit, breaker: { by: ['model', 'error'] } } },
  { name: 'deadline_ms', root: { deadline_ms: 30_000 } },
  { name: 'max_cost_usd', root: { max_cost_usd: 1 } },
  { name: 'x-gw-usage', headers: { 'x-gw-usage': 'true' } },
];

const configOf = ({ strategy = {}, root = {} }: Way): object => ({
  ...root,
  strategy: { mode: 'loadbalance', ...strategy },
  targets: [target(ports, '', { name: 'one' }), target(ports, '', { name: 'other' })],
});

const measured = async (gateway: Server, way: Way): Promise<number> => {
  const headers = {
    'x-gw-config': JSON.stringify(configOf(way)),
    'x-gw-metadata': '{"session":"17"}',
    ...way.headers,
  };
  const load: Omit<LoadOptions, 'seconds'> = {
    ...{ mode: 'closed' as const, port: gateway.port, path: '/v1/chat/completions', headers },
    ...{ body: chatRequest(), connections: 64 },
  };
  await putLoad({ ...load, seconds: 0.3 });
  const before = cpuMicros(gateway.pid);
  const { answers, failures } = await putLoad({ ...load, seconds });
  if (failures > 0 || answers === 0) throw new Error(`${way.name}: ${failures} of ${answers} requests failed.`);
  return (cpuMicros(gateway.pid) - before) / answers;
};

const stopUpstream = await startUpstream(ports);
const gateway = await startServer({
  name: 'gateway',
  port: ports.first,
  args: serveArgs(),
  env: { GW_TRUSTED_HOSTS: '127.0.0.1' },
  probe: { method: 'GET', path: '/livez' },
});
try {
  const bases: number[] = [];
  const added = new Map<string, number[]>();
  for (const way of [weight, ...ways]) await measured(gateway, way);
  for (let round = 0; round < rounds; round += 1)
    for (const way of ways) {
      const base = await measured(gateway, weight);
      bases.push(base);
      added.set(way.name, [...(added.get(way.name) ?? []), (await measured(gateway, way)) - base]);
    }
  process.stdout.write(
    `by weight: ${median(bases).toFixed(1)} µs a request\n\n| | added, µs a request |\n|---|---:|\n`,
  );
  for (const [name, all] of added) process.stdout.write(`| ${name} | ${median(all).toFixed(1)} |\n`);
} finally {
  await gateway.stop();
  stopUpstream();
}
