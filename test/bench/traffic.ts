/**
 * `npm run bench:traffic`: the cost of each way to choose a target, of circuits, and of each limit on a request. One gateway
 * serves them in interleaved rounds. Each figure is the CPU time of a request, or of a chunk, above that of its base, which is
 * measured immediately before: the minimum of the way minus the minimum of the base, and the median of the differences.
 * `--rounds=9 --seconds=1 --only=price,key`. Linux only: it reads /proc.
 */
import { parseArgs } from 'node:util';
import type { Ports } from './harness/configs.ts';
import type { LoadOptions } from './harness/load.ts';
import { median, putLoad, type Server, startServer, threadMicros } from './harness/measure.ts';
import { chatRequest } from './harness/payloads.ts';
import { chunksIn, startUpstream } from './harness/running.ts';
import { serveArgs } from './harness/serve-args.ts';
import { configOf, type Way, ways, weight } from './traffic/ways.ts';

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

/** Streams last half a second, so a round of them takes at least this many seconds. */
const shortestStreams = 1.5;

const loadOf = ({ port }: Server, way: Way): Omit<LoadOptions, 'seconds'> => {
  const { isStream = false, body = chatRequest({ stream: isStream }) } = way;
  const headers = {
    'x-gw-config': JSON.stringify(configOf(way, ports)),
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

/** After this many answers, V8 has fully optimised the code. */
const answersBefore = 20_000;

/** Puts load on the gateway until V8 has fully optimised its code for a way, however busy the machine is. */
const warmUp = async (gateway: Server, way: Way): Promise<void> => {
  for (let answered = 0; answered < answersBefore; ) {
    const { answers, bytes } = await putLoad({ ...loadOf(gateway, way), seconds: 2 });
    answered += way.isStream === true ? chunksIn(bytes) : answers;
  }
};

/** The CPU times of a way and of its base, by round. */
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
