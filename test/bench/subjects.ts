import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ServerOptions } from './measure.ts';
import { chatRequest } from './payloads.ts';

/** What is measured, and how a request reaches the benchmark's upstream through it. */
export interface Subject {
  readonly server: ServerOptions;
  /** The traffic: the upstream answers `''` with JSON, `/paced`, `/flat-out` and `/held` with streams. */
  route(traffic: Traffic): { readonly path: string; readonly headers: Readonly<Record<string, string>> };
}

export type Traffic = '' | '/paced' | '/flat-out' | '/held';

const root = path.join(import.meta.dirname, '../..');
const gw = path.join(root, 'gw.js');
const metadata = JSON.stringify({ user_plan: 'paid' });

export interface Ports {
  readonly upstream: number;
  readonly first: number;
}

const host = ({ upstream }: Ports, traffic: Traffic): string => `http://127.0.0.1:${upstream}${traffic}/v1`;

const target = (ports: Ports, traffic: Traffic, more: object = {}): object => ({
  provider: 'openai',
  api_key: 'bench-target-key',
  custom_host: host(ports, traffic),
  ...more,
});

/** One target, and the nested config: a condition, then a fallback over a load balance, with retries. */
const single = (ports: Ports, traffic: Traffic): object => target(ports, traffic);
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

const chatProbe = (headers: Readonly<Record<string, string>>): ServerOptions['probe'] => ({
  method: 'POST',
  path: '/v1/chat/completions',
  headers: { 'content-type': 'application/json', ...headers },
  body: chatRequest(),
});

const headerConfig = (name: string, port: number, config: (traffic: Traffic) => object): Subject => {
  const route: Subject['route'] = (traffic) => ({
    path: '/v1/chat/completions',
    headers: { 'x-gw-config': JSON.stringify(config(traffic)), 'x-gw-metadata': metadata },
  });
  return {
    server: {
      name,
      port,
      args: [gw, 'serve'],
      env: { GW_TRUSTED_HOSTS: '127.0.0.1' },
      probe: chatProbe(route('').headers),
    },
    route,
  };
};

const withReferences = (config: object): string =>
  JSON.stringify(config).replaceAll('bench-target-key', '$' + '{env:BENCH_KEY}');

/** Writes the nested config, for every traffic, into a folder of its own, with a gateway file beside it. */
export const writeConfigs = (ports: Ports): { readonly folder: string; readonly gatewayFile: string } => {
  const folder = mkdtempSync(path.join(tmpdir(), 'gw-bench-'));
  mkdirSync(path.join(folder, 'configs'));
  for (const traffic of ['', '/paced', '/flat-out', '/held'] as const)
    writeFileSync(
      path.join(folder, 'configs', `nested${traffic.replace('/', '-')}.json`),
      withReferences(nested(ports, traffic)),
    );
  const gatewayFile = path.join(folder, 'gateway.json');
  writeFileSync(gatewayFile, JSON.stringify({ configs: 'configs', trusted_hosts: ['127.0.0.1'] }));
  return { folder, gatewayFile };
};

const savedConfig = (name: string, port: number, args: readonly string[]): Subject => {
  const route: Subject['route'] = (traffic) => ({
    path: '/v1/chat/completions',
    headers: { 'x-gw-config': `nested${traffic.replace('/', '-')}`, 'x-gw-metadata': metadata },
  });
  return {
    server: {
      name,
      port,
      args: [gw, 'serve', ...args],
      env: { GW_TRUSTED_HOSTS: '127.0.0.1', BENCH_KEY: 'bench-target-key' },
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

/** Every subject: two bare proxies, header configs, the nested config compiled at start, and as a compiled plan. */
export const subjects = (
  ports: Ports,
  files: { readonly gatewayFile: string; readonly plans: string },
): readonly Subject[] => [
  bare('bare', ports.first, ports, true),
  bare('bare, no parsing', ports.first + 1, ports, false),
  headerConfig('single (header)', ports.first + 2, (traffic) => single(ports, traffic)),
  headerConfig('nested (header)', ports.first + 3, (traffic) => nested(ports, traffic)),
  savedConfig('nested (plan)', ports.first + 4, ['--plans', files.plans]),
  savedConfig('nested (configs folder)', ports.first + 5, ['--config', files.gatewayFile]),
];
