/**
 * `npm run bench:traffic`: what each way to choose, circuits, and each bound of a request cost. One gateway, in interleaved rounds; each
 * figure is the CPU time of a request, or of a chunk, above that of its base, which was measured just before: the quickest round of the
 * one less the quickest of the other, and the difference in the middle. `--rounds=9 --seconds=1 --only=price,key`. Linux only: it reads
 * /proc.
 */
import { parseArgs } from 'node:util';
import { type Ports, type Traffic, target } from './configs.ts';
import type { LoadOptions } from './load.ts';
import { median, putLoad, type Server, startServer, threadMicros } from './measure.ts';
import { chatRequest } from './payloads.ts';
import { chunksIn, startUpstream } from './running.ts';
import { serveArgs } from './serve-args.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const only = values.only?.split(',');
const firstPort = Number(process.env.BENCH_PORT ?? 19_600);
const ports: Ports = { upstream: firstPort, receiver: firstPort + 1, first: firstPort + 10 };

interface Way {
  readonly name: string;
  /** The way that it is compared with; by weight if absent. */
  readonly base?: Way;
  readonly strategy?: object;
  readonly root?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Two if absent. */
  readonly targets?: readonly object[];
  /** The body of its requests; a question in text alone if absent. */
  readonly body?: string;
  /** Whether answers are streams, a chunk each 5 ms, of which chunks are counted and not requests. */
  readonly isStream?: true;
}

const circuit = { failure_threshold: 5, cooldown_interval: 30_000 };

const tool = (name: string): object => ({
  type: 'function',
  function: {
    name,
    description: 'Finds a bridge by its town.',
    parameters: { type: 'object', properties: { town: { type: 'string' } }, required: ['town'] },
  },
});

const one = { provider: 'openai', custom_host: `http://127.0.0.1:${ports.upstream}/v1`, name: 'one' };
const keys = ['first', 'second', 'third'].map((name) => ({ api_key: `bench-${name}-key` }));

const weight: Way = { name: 'weight' };
const withTools: Way = {
  name: 'weight (tools in the request)',
  body: JSON.stringify({ ...JSON.parse(chatRequest()), tools: [tool('find_bridge'), tool('find_tower')] }),
};
const fallback: Way = { name: 'fallback', strategy: { mode: 'fallback' } };
const fallbackStream: Way = { ...fallback, name: 'fallback (a chunk)', isStream: true };
const goesOn = { mode: 'fallback', continue: true };
const oneKey: Way = { name: 'one key', targets: [{ ...one, api_key: 'bench-first-key' }] };
const ways: readonly Way[] = [
  // The same once more: what two measurements of one thing differ by.
  { name: 'weight again' },
  ...['latency', 'least-busy', 'headroom', 'price'].map((balance) => ({ name: balance, strategy: { balance } })),
  ...['metadata.session', 'user', 'prompt-prefix'].map((by) => ({
    name: `sticky by ${by}`,
    strategy: { sticky: { by } },
  })),
  { name: 'require', strategy: { require: 'capabilities' } },
  { ...withTools, name: 'require (tools in the request)', strategy: { require: 'capabilities' }, base: withTools },
  fallback,
  { name: 'continue', strategy: goesOn, base: fallback },
  { name: 'continue (a chunk)', strategy: goesOn, isStream: true, base: fallbackStream },
  { name: 'three keys', targets: [{ ...one, keys }], base: oneKey },
  { name: 'fallback hedged', strategy: { mode: 'fallback', hedge: { after_ms: 30_000 } } },
  { name: 'cb_config', root: { cb_config: circuit } },
  { name: 'breaker by model and error', root: { cb_config: circuit, breaker: { by: ['model', 'error'] } } },
  { name: 'deadline_ms', root: { deadline_ms: 30_000 } },
  { name: 'max_cost_usd', root: { max_cost_usd: 1 } },
  // Hardly any is copied, whose copy would cost as much as a request: this is what it costs to draw.
  { name: 'mirror', root: { mirror: { target: target(ports, '', { name: 'copy' }), percent: 0.0001 } } },
  { name: 'x-gw-usage', headers: { 'x-gw-usage': 'true' } },
];

const trafficOf = ({ isStream }: Way): Traffic => (isStream === true ? '/paced' : '');

const configOf = (way: Way): object => {
  const {
    strategy = {},
    root = {},
    targets = ['one', 'other'].map((name) => target(ports, trafficOf(way), { name })),
  } = way;
  return { ...root, strategy: { mode: 'loadbalance', ...strategy }, targets };
};

/** Streams are half a second long. */
const shortestStreams = 1.5;

const loadOf = ({ port }: Server, way: Way): Omit<LoadOptions, 'seconds'> => {
  const { isStream = false, body = chatRequest({ stream: isStream }) } = way;
  const headers = {
    'x-gw-config': JSON.stringify(configOf(way)),
    'x-gw-metadata': '{"session":"17"}',
    ...way.headers,
  };
  const kind = isStream ? { mode: 'streams' as const, connections: 50 } : { mode: 'closed' as const, connections: 64 };
  return { ...kind, port, path: '/v1/chat/completions', headers, body };
};

const measured = async (gateway: Server, way: Way): Promise<number> => {
  const { isStream = false } = way;
  const load = loadOf(gateway, way);
  await putLoad({ ...load, seconds: 0.3 });
  const before = threadMicros(gateway.pid);
  const { answers, bytes, failures } = await putLoad({
    ...load,
    seconds: isStream ? Math.max(seconds, shortestStreams) : seconds,
  });
  if (failures > 0 || answers === 0) throw new Error(`${way.name}: ${failures} of ${answers} requests failed.`);
  return (threadMicros(gateway.pid) - before) / (isStream ? chunksIn(bytes) : answers);
};

/** V8 has the best code of what was called so often. */
const answersBefore = 20_000;

/** Puts load on the gateway until its code for a way is as good as it gets, however busy the machine is. */
const warmUp = async (gateway: Server, way: Way): Promise<void> => {
  for (let answered = 0; answered < answersBefore; ) {
    const { answers, bytes } = await putLoad({ ...loadOf(gateway, way), seconds: 2 });
    answered += way.isStream === true ? chunksIn(bytes) : answers;
  }
};

/** The CPU time in the rounds of a way and in those of its base. */
interface Rounds {
  readonly own: number[];
  readonly base: number[];
}

const stopUpstream = await startUpstream(ports);
const gateway = await startServer({
  name: 'gateway',
  port: ports.first,
  args: serveArgs(),
  env: { GW_TRUSTED_HOSTS: '127.0.0.1' },
  probe: { method: 'GET', path: '/livez' },
});
try {
  const taken = ways.filter(({ name }) => only === undefined || only.includes(name));
  const rounded = new Map<Way, Rounds>(taken.map((way) => [way, { own: [], base: [] }]));
  for (const way of new Set([weight, ...taken.flatMap((each) => [each.base ?? weight, each])]))
    await warmUp(gateway, way);
  for (let round = 0; round < rounds; round += 1)
    for (const [way, { own, base }] of rounded) {
      base.push(await measured(gateway, way.base ?? weight));
      own.push(await measured(gateway, way));
    }
  process.stdout.write('| | base, the quickest | added, the quickest | added, in the middle |\n|---|---:|---:|---:|\n');
  for (const [{ name }, { own, base }] of rounded) {
    const least = Math.min(...base);
    const middle = median(own.map((each, at) => each - (base[at] ?? Number.NaN)));
    const cells = [least, Math.min(...own) - least, middle].map((each) => each.toFixed(1));
    process.stdout.write(`| ${name} | ${cells.join(' | ')} |\n`);
  }
} finally {
  await gateway.stop();
  stopUpstream();
}
