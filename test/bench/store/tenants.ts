/**
 * `npm run bench:tenants`: many saved configs of many tenants. Creates them through the API, restarts the gateway on their store,
 * sends a request to each of them, changes one, and prints the time and memory that each step takes. `--tenants=200
 * --configs=50`. Linux only: it reads /proc.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { adminKey, ControlClient, masterKey } from '../harness/control-client.ts';
import { cpuMicros, median, residentMb, type Server, startServer } from '../harness/measure.ts';
import { chatRequest } from '../harness/payloads.ts';
import { serveArgs } from '../harness/serve-args.ts';

const { values } = parseArgs({
  options: { tenants: { type: 'string', default: '200' }, configs: { type: 'string', default: '50' } },
});
const tenants = Number(values.tenants);
const configs = Number(values.configs);
const port = 19_400;
const folder = mkdtempSync(path.join(tmpdir(), 'gw-bench-'));

const start = (store?: string): Promise<Server> =>
  startServer({
    name: 'gateway',
    port,
    args: serveArgs(store === undefined ? [] : ['--store', store]),
    env: { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: masterKey },
    probe: { method: 'GET', path: '/livez' },
  });

const store = path.join(folder, 'gateway.db');
const toConfig = (tenant: number, config: number, attempts = 1): object => ({
  strategy: { mode: 'fallback' },
  retry: { attempts },
  targets: [{ provider: 'echo', override_params: { user: `${tenant}-${config}` } }, { provider: 'echo' }],
});

interface Caller {
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Runs a function for each number, four at a time, so that not all requests of a step are open at once. */
const each = async (count: number, run: (at: number) => Promise<void>): Promise<void> => {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const at = next;
      next += 1;
      await run(at);
    }
  };
  await Promise.all(Array.from({ length: 4 }, worker));
};

const make = async (): Promise<readonly Caller[]> => {
  const server = await start(store);
  const client = new ControlClient(port);
  const callers: Caller[] = [];
  await each(tenants, async (tenant) => {
    const slug = `tenant-${tenant}`;
    await client.made('POST /workspaces', { body: { name: slug, slug } });
    const { key } = await client.made('POST /api-keys/workspace/service', {
      body: { name: 'app', scopes: ['completions.write'], workspace_id: slug },
    });
    const headers = { 'x-gw-workspace': slug };
    for (let config = 0; config < configs; config += 1)
      await client.made('POST /configs', {
        headers,
        body: { name: 'c', slug: `c-${config}`, config: toConfig(tenant, config) },
      });
    callers[tenant] = { key, headers };
  });
  client.close();
  await server.stop();
  return callers;
};

const row = (what: string, figure: string): void => void process.stdout.write(`| ${what} | ${figure} |\n`);
const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;

try {
  const begun = performance.now();
  const callers = await make();
  row(`${tenants * configs} configs of ${tenants} tenants made through the API`, ms(performance.now() - begun));
  const starts = { without: [] as number[], with: [] as number[] };
  for (let round = 0; round < 5; round += 1)
    for (const [name, at] of [
      ['without', path.join(folder, `empty-${round}.db`)],
      ['with', store],
    ] as const) {
      const server = await start(at);
      starts[name].push(server.startMs);
      await server.stop();
    }
  row('start to first 200, new store', ms(median(starts.without)));
  row('start to first 200, this store', ms(median(starts.with)));

  const server = await start(store);
  const client = new ControlClient(port);
  row('memory, idle', `${residentMb(server.pid).toFixed(0)} MB`);
  const body = chatRequest();
  const chat = async (tenant: number, config: number): Promise<number> => {
    const { key = '' } = callers[tenant] ?? {};
    const {
      status,
      text,
      ms: took,
    } = await client.ask('POST /chat/completions', {
      key,
      headers: { 'x-gw-config': `c-${config}` },
      body: JSON.parse(body.toString()),
    });
    if (status !== 200) throw new Error(`${status} ${text}`);
    return took;
  };
  for (const round of ['the first time', 'again'] as const) {
    const before = cpuMicros(server.pid);
    const times: number[] = [];
    await each(tenants * configs, async (at) => {
      times.push(await chat(at % tenants, Math.floor(at / tenants)));
    });
    const cpu = (cpuMicros(server.pid) - before) / (tenants * configs);
    row(`each config requested ${round}, CPU a request`, `${cpu.toFixed(0)} µs`);
    row(`memory, after each was requested ${round}`, `${residentMb(server.pid).toFixed(0)} MB`);
  }
  const firsts: number[] = [];
  const others: number[] = [];
  const known: number[] = [];
  for (let change = 0; change < 20; change += 1) {
    const tenant = change % tenants;
    const { headers = {} } = callers[tenant] ?? {};
    await chat(tenant, 1);
    await client.made('PUT /configs/c-0', { headers, body: { config: toConfig(tenant, 0, 2) } });
    firsts.push(await chat(tenant, 0));
    others.push(await chat(tenant, 1));
    known.push(await chat(tenant, 1));
  }
  row('a config was changed: its next request', ms(median(firsts)));
  row("the next request of the same tenant's other config", ms(median(others)));
  row('a request after that', ms(median(known)));
  client.close();
  await server.stop();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
