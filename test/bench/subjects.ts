import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { adminKey, ControlClient, masterKey } from './control-client.ts';
import { type ServerOptions, startServer } from './measure.ts';
import { chatRequest } from './payloads.ts';
import { serveArgs } from './serve-args.ts';

/** What is measured, and how a request reaches the benchmark's upstream through it. */
export interface Subject {
  readonly server: ServerOptions;
  /** The traffic: the upstream answers `''` with JSON, `/paced`, `/flat-out` and `/held` with streams. */
  route(traffic: Traffic): Route;
  /** A request that falls back once; only where each request brings its config. */
  readonly fallback?: Route;
  /** Requests of which nothing is traced: in the same process, because processes that run the same code differ. */
  readonly untraced?: Route;
  /** The file of its log, where it keeps one. */
  readonly logFile?: string;
}

export interface Route {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type Traffic = '' | '/paced' | '/flat-out' | '/held';

const root = path.join(import.meta.dirname, '../..');
const metadata = JSON.stringify({ user_plan: 'paid' });

export interface Ports {
  readonly upstream: number;
  /** Of the receiver of traces. */
  readonly receiver: number;
  readonly first: number;
}

const host = ({ upstream }: Ports, traffic: Traffic | '/failing'): string =>
  `http://127.0.0.1:${upstream}${traffic}/v1`;

const target = (ports: Ports, traffic: Traffic | '/failing', more: object = {}): object => ({
  provider: 'openai',
  api_key: 'bench-target-key',
  custom_host: host(ports, traffic),
  ...more,
});

/** One target, and the nested config: a condition, then a fallback over a load balance, with retries. */
const single = (ports: Ports, traffic: Traffic): object => target(ports, traffic);
const fallingBack = (ports: Ports): object => ({
  strategy: { mode: 'fallback' },
  targets: [target(ports, '/failing'), target(ports, '')],
});
const nested = (ports: Ports, traffic: Traffic): object => ({
  strategy: {
    mode: 'conditional',
    conditions: [{ query: { 'metadata.user_plan': { $eq: 'paid' } }, then: 'paid' }],
    default: 'free',
  },
  targets: [
    {
      name: 'paid',
      strategy: { mode: 'fallback' },
      retry: { attempts: 2 },
      targets: [
        {
          strategy: { mode: 'loadbalance' },
          targets: [target(ports, traffic, { weight: 0.7 }), target(ports, traffic, { weight: 0.3 })],
        },
        target(ports, traffic, { override_params: { model: 'gpt-4o' } }),
      ],
    },
    { name: 'free', ...target(ports, traffic) },
  ],
});

const checks = (parameters: Readonly<Record<string, object>>): object => ({ ...parameters, deny: true });

/** Three checks of a request, of which each looks at all of its text. */
const threeChecks = (ports: Ports, traffic: Traffic): object =>
  target(ports, traffic, {
    input_guardrails: [
      checks({
        'default.contains': { words: ['a forbidden word', 'another one'], operator: 'none' },
        'default.regexMatch': { rule: 'forbidden (words?|phrases?)', not: true },
        'default.wordCount': { maxWords: 100_000 },
      }),
    ],
  });

/** A check that judges a stream window by window. */
const windowed = (ports: Ports, traffic: Traffic): object =>
  target(ports, traffic, {
    output_guardrails: [checks({ 'default.contains': { words: ['a forbidden word'], operator: 'none' } })],
  });

const cached = (ports: Ports, traffic: Traffic): object => target(ports, traffic, { cache: { mode: 'simple' } });

const chatProbe = (headers: Readonly<Record<string, string>>): ServerOptions['probe'] => ({
  method: 'POST',
  path: '/v1/chat/completions',
  headers: { 'content-type': 'application/json', ...headers },
  body: chatRequest(),
});

interface HeaderSubject {
  readonly ports: Ports;
  readonly config: (ports: Ports, traffic: Traffic) => object;
  /** Options of Node's own. */
  readonly flags?: readonly string[];
  /** The folder of the gateway; this one if absent. */
  readonly checkout?: string;
}

const headerConfig = (
  name: string,
  port: number,
  { ports, config, flags = [], checkout = root }: HeaderSubject,
): Subject => {
  const routeOf = (written: object): Route => ({
    path: '/v1/chat/completions',
    headers: { 'x-gw-config': JSON.stringify(written), 'x-gw-metadata': metadata },
  });
  const route = (traffic: Traffic): Route => routeOf(config(ports, traffic));
  return {
    server: {
      name,
      port,
      args: [...flags, ...serveArgs([], path.join(checkout, 'gw.js'))],
      env: { GW_TRUSTED_HOSTS: '127.0.0.1' },
      probe: chatProbe(route('').headers),
    },
    route,
    fallback: routeOf(fallingBack(ports)),
  };
};

/** The options that `npm start` gives to Node. */
const startFlags = (): readonly string[] => {
  const { scripts }: { readonly scripts: { readonly start: string } } = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  );
  return scripts.start.split(' ').filter((word) => word.startsWith('--'));
};

const withReferences = (config: object): string =>
  JSON.stringify(config).replaceAll('bench-target-key', '$' + '{env:BENCH_KEY}');

const traffics = ['', '/paced', '/flat-out', '/held'] as const;

/** Writes the two configs, for every traffic, into a folder of its own, with a gateway file beside it. */
export const writeConfigs = (ports: Ports): { readonly folder: string; readonly gatewayFile: string } => {
  const folder = mkdtempSync(path.join(tmpdir(), 'gw-bench-'));
  mkdirSync(path.join(folder, 'configs'));
  for (const traffic of traffics)
    for (const [name, config] of Object.entries({ nested, single }))
      writeFileSync(
        path.join(folder, 'configs', `${name}${traffic.replace('/', '-')}.json`),
        withReferences(config(ports, traffic)),
      );
  const gatewayFile = path.join(folder, 'gateway.json');
  writeFileSync(gatewayFile, JSON.stringify({ configs: 'configs', trusted_hosts: ['127.0.0.1'] }));
  return { folder, gatewayFile };
};

interface SavedSubject {
  readonly args: readonly string[];
  readonly config?: 'nested' | 'single';
  readonly headers?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

const savedConfig = (
  name: string,
  port: number,
  { args, config = 'nested', headers = {}, env = {} }: SavedSubject,
): Subject => {
  const route: Subject['route'] = (traffic) => ({
    path: '/v1/chat/completions',
    headers: { 'x-gw-config': `${config}${traffic.replace('/', '-')}`, 'x-gw-metadata': metadata, ...headers },
  });
  return {
    server: {
      name,
      port,
      args: serveArgs(args),
      env: { GW_TRUSTED_HOSTS: '127.0.0.1', BENCH_KEY: 'bench-target-key', ...env },
      probe: chatProbe(route('').headers),
    },
    route,
  };
};

const bare = (name: string, port: number, ports: Ports, parse: boolean): Subject => ({
  server: {
    name,
    port,
    args: [path.join(import.meta.dirname, 'bare-proxy.ts')],
    env: { UPSTREAM: String(ports.upstream), PARSE: parse ? '1' : '0' },
    probe: { method: 'GET', path: '/livez' },
  },
  route: (traffic) => ({ path: `${traffic}/v1/chat/completions`, headers: {} }),
});

/**
 * Every subject: two bare proxies, header configs, one started as `npm start` does it and one of the gateway that is built in a
 * folder, and the nested config as a plan and as a file.
 */
export const subjects = (
  ports: Ports,
  files: { readonly gatewayFile: string; readonly plans: string; readonly installed: string },
): readonly Subject[] => [
  bare('bare', ports.first, ports, true),
  bare('bare, no parsing', ports.first + 1, ports, false),
  headerConfig('single (header)', ports.first + 2, { ports, config: single }),
  headerConfig('nested (header)', ports.first + 3, { ports, config: nested }),
  headerConfig('single, as npm start', ports.first + 6, { ports, config: single, flags: startFlags() }),
  headerConfig('single, as installed', ports.first + 7, { ports, config: single, checkout: files.installed }),
  savedConfig('nested (plan)', ports.first + 4, { args: ['--plans', files.plans] }),
  savedConfig('nested (configs folder)', ports.first + 5, { args: ['--config', files.gatewayFile] }),
];

/** The bare proxy, and this checkout beside another: what a change costs. */
export const comparedSubjects = (ports: Ports, checkout: string): readonly Subject[] => [
  bare('bare', ports.first, ports, true),
  headerConfig('single, the other checkout', ports.first + 1, { ports, config: single, checkout }),
  headerConfig('single', ports.first + 2, { ports, config: single }),
  headerConfig('single as npm start, the other checkout', ports.first + 3, {
    ports,
    config: single,
    flags: startFlags(),
    checkout,
  }),
  headerConfig('single, as npm start', ports.first + 4, { ports, config: single, flags: startFlags() }),
];

/** The bare proxy, and a target without and with checks and a cache: what these cost. */
export const guardedSubjects = (ports: Ports): readonly Subject[] => [
  bare('bare', ports.first, ports, true),
  headerConfig('single', ports.first + 1, { ports, config: single }),
  headerConfig('three checks', ports.first + 2, { ports, config: threeChecks }),
  headerConfig('a check of streams', ports.first + 3, { ports, config: windowed }),
  headerConfig('a cache', ports.first + 4, { ports, config: cached }),
];

/** What a gateway with a store needs, and the service key that its requests have. */
export interface BenchStore {
  readonly file: string;
  readonly key: string;
}

const storeEnvironment = { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: masterKey };

/** Makes a store with a service key, and with the single config for every traffic, through the API. */
export const makeStore = async (ports: Ports, folder: string, limit?: object): Promise<BenchStore> => {
  const file = path.join(folder, 'gateway.db');
  const server = await startServer({
    name: 'store',
    port: ports.first + 9,
    args: serveArgs(['--store', file]),
    env: { GW_TRUSTED_HOSTS: '127.0.0.1', ...storeEnvironment },
    probe: { method: 'GET', path: '/livez' },
  });
  const client = new ControlClient(server.port);
  for (const traffic of traffics) {
    const slug = `single${traffic.replace('/', '-')}`;
    await client.made('POST /configs', { body: { name: slug, slug, config: single(ports, traffic) } });
  }
  const { key } = await client.made('POST /api-keys/workspace/service', {
    body: { name: 'bench', scopes: ['completions.write'], workspace_id: 'default' },
  });
  if (limit !== undefined) await client.made('POST /policies/rate-limits', { body: limit });
  client.close();
  await server.stop();
  return { file, key };
};

/** The bare proxy, a saved config of the gateway's files, and the same in a store, requested with a service key of it. */
export const storedSubjects = (ports: Ports, gatewayFile: string, { file, key }: BenchStore): readonly Subject[] => [
  bare('bare', ports.first, ports, true),
  savedConfig('single (configs folder)', ports.first + 1, { args: ['--config', gatewayFile], config: 'single' }),
  savedConfig('single (store, service key)', ports.first + 2, {
    args: ['--store', file],
    config: 'single',
    headers: { 'x-gw-api-key': key },
    env: storeEnvironment,
  }),
];

/** Stores with a policy for each key, and gateway files that serve them. */
export interface LimitedStore {
  readonly keys: BenchStore & { readonly gatewayFile: string };
  readonly ledger: BenchStore & { readonly gatewayFile: string };
  readonly limited: BenchStore & { readonly gatewayFile: string };
  readonly shared: BenchStore & { readonly gatewayFile: string };
}

/** Where `--limited` expects a Redis; 6379 of this machine if absent. */
const redisUrl = process.env.BENCH_REDIS ?? 'redis://127.0.0.1:6379/9';

const policy = {
  name: 'bench',
  workspace_id: 'default',
  type: 'tokens',
  unit: 'rpm',
  value: 1_000_000_000_000,
  conditions: [{ key: 'workspace_id', value: '*' }],
  group_by: [{ key: 'api_key' }],
};

/** Makes four stores: with keys alone, with the ledger, also with a policy and the log, and the same with Redis. */
export const makeLimitedStore = async (ports: Ports, folder: string): Promise<LimitedStore> => {
  const made = async (name: string, settings: object): Promise<BenchStore & { readonly gatewayFile: string }> => {
    const own = path.join(folder, name);
    mkdirSync(own);
    const store = await makeStore(ports, own, name === 'keys' || name === 'ledger' ? undefined : policy);
    const gatewayFile = path.join(own, 'gateway.json');
    writeFileSync(gatewayFile, JSON.stringify({ trusted_hosts: ['127.0.0.1'], ...settings }));
    return { ...store, gatewayFile };
  };
  return {
    keys: await made('keys', { store: { url: 'gateway.db', ledger: false }, log: false }),
    ledger: await made('ledger', { store: { url: 'gateway.db' }, log: false }),
    limited: await made('limited', { store: { url: 'gateway.db' } }),
    shared: await made('shared', { store: { url: 'gateway.db', limits: { url: redisUrl } } }),
  };
};

/** The bare proxy, a saved config of files, and the same in a store: with keys alone, with the ledger, with a policy and the log, and with Redis. */
export const limitedSubjects = (ports: Ports, gatewayFile: string, stores: LimitedStore): readonly Subject[] => {
  const stored = (
    name: string,
    port: number,
    { gatewayFile: file, key, hasLog = false }: LimitedStore['keys'] & { readonly hasLog?: boolean },
  ): Subject => ({
    ...savedConfig(name, port, {
      args: ['--config', file],
      config: 'single',
      headers: { 'x-gw-api-key': key },
      env: storeEnvironment,
    }),
    ...(hasLog ? { logFile: path.join(path.dirname(file), 'gateway-log.db') } : {}),
  });
  return [
    bare('bare', ports.first, ports, true),
    savedConfig('single (configs folder)', ports.first + 1, { args: ['--config', gatewayFile], config: 'single' }),
    stored('store and keys', ports.first + 2, stores.keys),
    stored('ledger', ports.first + 3, stores.ledger),
    stored('ledger, policy and log', ports.first + 4, { ...stores.limited, hasLog: true }),
    stored('the same with Redis', ports.first + 5, stores.shared),
  ];
};

/** The bare proxy, and a target of the gateway's files without and with metrics and traces, for clients that trace. */
export const observedSubjects = (ports: Ports, folder: string): readonly Subject[] => {
  const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331';
  const told = { otlp: { url: `http://127.0.0.1:${ports.receiver}` }, metrics: false };
  const subject = (name: string, at: number, settings: object, flags: '00' | '01' = '01'): Subject => {
    const file = path.join(folder, `observed-${at}.json`);
    writeFileSync(file, JSON.stringify({ configs: 'configs', trusted_hosts: ['127.0.0.1'], ...settings }));
    const headers = { traceparent: `${parent}-${flags}` };
    return savedConfig(name, ports.first + at, { args: ['--config', file], config: 'single', headers });
  };
  const traces = subject('traces', 4, { telemetry: told });
  const { path: at, headers } = traces.route('');
  return [
    bare('bare', ports.first, ports, true),
    subject('single', 1, {}),
    subject('metrics', 2, { metrics: true }),
    subject('metrics of all tokens', 3, { metrics: { tokens: true } }),
    { ...traces, untraced: { path: at, headers: { ...headers, traceparent: `${parent}-00` } } },
    subject('traces, unsampled', 5, { telemetry: told }, '00'),
  ];
};
