/**
 * `npm run bench:overload`: goodput, latencies of admitted requests, and memory at five times the capacity, with and without
 * `"overload"`. One subject is a target that works on 20 requests at once. The other is the gateway itself, whose requests cost
 * ten milliseconds here, so that one machine can request more than it can serve. Clients disconnect after two seconds: later
 * answers do not count as goodput. A tenth of the requests has high priority. `--seconds=20 --only=target,process,cost`. Linux
 * only: it reads /proc.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { openOverload } from '../../../plugins/overload/open-overload.ts';
import { systemClock } from '../../../runtime/in-memory/system-clock.ts';
import { rootPointer } from '../../../schema/json/pointer.ts';
import { sampleExchange } from '../../support/in-process/sample-exchange.ts';
import { samplePlan } from '../../support/plans/sample-plan.ts';
import { buildGateway } from '../harness/built-gateway.ts';
import { markdownTable, percent } from '../harness/figures.ts';
import { residentMb, type Server, startServer } from '../harness/measure.ts';
import { serveArgs } from '../harness/serve-args.ts';
import type { OverloadLoad, OverloadResult } from './overload-load.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '20' }, only: { type: 'string', default: 'target,process,cost' } },
});
const seconds = Number(values.seconds);
const only = new Set(values.only.split(','));
const here = import.meta.dirname;
const ports = { provider: 19_600, gateway: 19_601 };
const provider = { capacity: 20, serviceMs: 100 };
/** The CPU time of a request if the gateway itself is the bottleneck. */
const burnMs = 10;
const times = 5;
const patienceMs = 2000;
const priorities = { high: 0.1, normal: 0.9 };

const run = promisify(execFile);

const load = async (given: Pick<OverloadLoad, 'rate'> & Partial<OverloadLoad>): Promise<OverloadResult> => {
  const options: OverloadLoad = {
    ...{ port: ports.gateway, seconds, uncountedSeconds: 8, patienceMs, priorities },
    ...given,
  };
  const { stdout } = await run(process.execPath, [path.join(here, 'overload-load.ts'), JSON.stringify(options)]);
  return JSON.parse(stdout);
};

const total = (result: OverloadResult, figure: 'good' | 'sent' | 'refused' | 'late' | 'failed'): number =>
  Object.values(result).reduce((sum, each) => sum + each[figure], 0);

/** A plugin that blocks the thread for each request, as expensive checks do. */
const burning = `
export default {
  name: 'burn', api: 1,
  apply: (hooks) => {
    hooks.request.tap('burn', (exchange) => {
      const until = performance.now() + ${burnMs};
      while (performance.now() < until);
      return exchange;
    });
  },
};`;

const folder = mkdtempSync(path.join(tmpdir(), 'gw-bench-'));
const gatewayJs = await buildGateway(folder);
mkdirSync(path.join(folder, 'configs'));
writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
writeFileSync(path.join(folder, 'burn.js'), burning);
writeFileSync(
  path.join(folder, 'configs/main.json'),
  JSON.stringify({
    provider: 'openai',
    api_key: '$' + '{env:BENCH_KEY}',
    custom_host: `http://127.0.0.1:${ports.provider}/v1`,
  }),
);

const startGateway = (isGuarded: boolean, isBurning: boolean): Promise<Server> => {
  const keys = Object.keys(priorities).map((priority) => ({
    ...{ id: priority, tenant: 'bench', priority },
    key: ['$', `{env:KEY_${priority.toUpperCase()}}`].join(''),
  }));
  const file = path.join(folder, 'gateway.json');
  writeFileSync(
    file,
    JSON.stringify({
      ...{ configs: 'configs', default_config: 'main', trusted_hosts: ['127.0.0.1'], auth: { keys } },
      ...(isBurning ? { plugins: [{ package: './burn.js' }] } : {}),
      ...(isGuarded ? { overload: { queue_ms: 500 } } : {}),
    }),
  );
  return startServer({
    ...{ name: 'gateway', port: ports.gateway, probe: { method: 'GET', path: '/livez' } },
    args: serveArgs(['--config', file, '--port', String(ports.gateway)], gatewayJs),
    env: { KEY_HIGH: 'key-high', KEY_NORMAL: 'key-normal', BENCH_KEY: 'sk-bench', GW_LOG: 'none' },
  });
};

const startProvider = (capacity: number, serviceMs: number): Promise<Server> =>
  startServer({
    ...{ name: 'provider', port: ports.provider, probe: { method: 'GET', path: '/ready' } },
    args: [path.join(here, 'overload-provider.ts')],
    env: { CAPACITY: String(capacity), SERVICE_MS: String(serviceMs) },
  });

const perSecond = (count: number): string => (count / seconds).toFixed(0);

const rowOf = (name: string, result: OverloadResult, memory: readonly [number, number], peak: number) => {
  const { high, normal } = result;
  return [
    name,
    `${perSecond(total(result, 'good'))} (${percent(total(result, 'good') / seconds / peak)})`,
    high === undefined ? '' : percent(high.good / Math.max(1, high.sent)),
    (normal?.p99 ?? 0).toFixed(0),
    (high?.p99 ?? 0).toFixed(0),
    perSecond(total(result, 'refused')),
    (normal?.refusedP99 ?? 0).toFixed(0),
    perSecond(total(result, 'late')),
    perSecond(total(result, 'failed')),
    `${memory[0].toFixed(0)} → ${memory[1].toFixed(0)}`,
  ];
};

const head = [
  ...[
    'load',
    'goodput a second (of the peak)',
    'of high priority',
    'p99 of what is admitted, ms',
    'of high priority, ms',
  ],
  ...['refused a second', 'p99 of refusals, ms', 'left a second', 'failed a second', 'MB before → after'],
];

/** Measures one gateway at its peak and at five times its peak. */
const measured = async (
  isGuarded: boolean,
  { isBurning, peakRate, capacity, serviceMs }: Subject,
): Promise<readonly (readonly string[])[]> => {
  const target = await startProvider(capacity, serviceMs);
  const gateway = await startGateway(isGuarded, isBurning);
  const name = isGuarded ? 'with overload' : 'without';
  try {
    const before = residentMb(gateway.pid);
    const atPeak = await load({ rate: peakRate });
    const peak = total(atPeak, 'good') / seconds;
    const between = residentMb(gateway.pid);
    const above = await load({ rate: peakRate * times });
    const after = residentMb(gateway.pid);
    return [
      rowOf(`${name}, ${peakRate} a second`, atPeak, [before, between], peak),
      rowOf(`${name}, ${peakRate * times} a second`, above, [between, after], peak),
    ];
  } finally {
    await Promise.all([gateway.stop(), target.stop()]);
  }
};

interface Subject {
  readonly isBurning: boolean;
  /** Requests per second, slightly below the capacity. */
  readonly peakRate: number;
  readonly capacity: number;
  readonly serviceMs: number;
}

const subjects: Readonly<Record<string, Subject>> = {
  target: {
    ...provider,
    isBurning: false,
    peakRate: Math.floor((0.95 * provider.capacity * 1000) / provider.serviceMs),
  },
  process: { isBurning: true, peakRate: Math.floor((0.6 * 1000) / (burnMs + 0.5)), capacity: 10_000, serviceMs: 300 },
};

/** Measures what the protection costs a request and its attempt without overload, in nanoseconds. */
const cost = async (): Promise<number> => {
  const overload = openOverload({ settings: {}, clock: systemClock, random: Math.random, heldMemory: () => 0 });
  const exchange = sampleExchange({}, { plan: { routing: samplePlan(), label: 'sample@1' } });
  const request = {
    ...{ account: 'https://target.example key', target: 'main', path: rootPointer, attempt: 1, exchange, bytes: 100 },
    ...{ maxWaitMs: 60_000, cancellation: exchange.cancellation, isCircuitOpen: () => false },
  };
  // So few that the event loop is not delayed.
  const requests = 10_000;
  const turn = async (): Promise<number> => {
    await pause(0);
    const began = performance.now();
    for (let at = 0; at < requests; at += 1) {
      let isBegun = false;
      overload.admit(exchange, () => {
        isBegun = true;
      });
      const place = overload.enter(request);
      if (!isBegun || place instanceof Promise) throw new Error('It waits.');
      place.answered({ outcome: 'served', ms: 100, kind: 'bytes converse gpt' });
      place.end();
    }
    return ((performance.now() - began) * 1e6) / requests;
  };
  const turns: number[] = [];
  for (let at = 0; at < 300; at += 1) turns.push(await turn());
  return turns.slice(100).toSorted((a, b) => a - b)[100] ?? 0;
};

try {
  for (const [name, subject] of Object.entries(subjects)) {
    if (!only.has(name)) continue;
    process.stdout.write(
      `\n${name === 'target' ? `A target that works on ${provider.capacity} requests at once, for ${provider.serviceMs} ms each` : `The gateway itself, where a request costs ${burnMs} ms`}:\n\n`,
    );
    const rows = [...(await measured(true, subject)), ...(await measured(false, subject))];
    process.stdout.write(markdownTable(head, rows));
  }
  if (only.has('cost'))
    process.stdout.write(
      `\nWhile nothing is too much, a request and its attempt take ${Math.round(await cost())} ns more.\n`,
    );
} finally {
  rmSync(folder, { recursive: true });
}
process.exit(0);
