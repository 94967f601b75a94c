import { mkdirSync, mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import {
  type ConfigFor,
  cached,
  type Ports,
  single,
  threeChecks,
  writeConfigs,
  writeGatewayFile,
} from '../harness/configs.ts';
import { startFlags, storeThreadsEnvironment } from '../harness/serve-args.ts';
import { bare, type Subject, savedConfig } from '../harness/subject.ts';
import { type BenchStoreOptions, makeStore, storedConfig, storeEnvironment } from './bench-store.ts';

/** A row in the table of gateways as teams run them. */
export interface TeamRow {
  readonly title: string;
  /** Whether to measure chunks of streams, because the row adds something to each chunk. */
  readonly hasStreams: boolean;
  /** Whether requests are logged, so that records might be dropped. */
  readonly hasLog: boolean;
  /** A sentence for a row that cannot be measured here. */
  readonly missing?: string;
  /** Creates what the row needs. */
  make(port: number): Promise<Subject>;
}

/** The proxy that all rows are compared with. It has V8's defaults, as other benchmarks start it. */
export const bareTitle = 'bare node:http + undici';

/** The URL of the Redis to use. */
const redisUrl = process.env.BENCH_REDIS ?? 'redis://127.0.0.1:6379/9';

const longestConnectMs = 1000;

const isReachable = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: longestConnectMs });
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket
      .on('connect', () => end(true))
      .on('error', () => end(false))
      .on('timeout', () => end(false));
  });

const whyNoRedis = async (): Promise<string | undefined> => {
  const { hostname, port } = new URL(redisUrl);
  if (await isReachable(hostname, Number(port || 6379))) return undefined;
  return `not measured: no Redis at ${hostname}:${port || 6379} (BENCH_REDIS)`;
};

type StoredOptions = Pick<BenchStoreOptions, 'config' | 'settings' | 'storeSettings' | 'isLimited'>;

export interface TeamRowsOptions {
  readonly ports: Ports;
  readonly folder: string;
  /** The `gw.js` of an installed gateway. It is started with the options and the environment of the image. */
  readonly gateway: string;
}

/** All rows, in the order in which teams add features: first those that need a store, then those that do not. */
export const teamRows = async ({ ports, folder, gateway }: TeamRowsOptions): Promise<readonly TeamRow[]> => {
  const configs: Readonly<Record<string, ConfigFor>> = { single, checked: threeChecks, cached };
  mkdirSync(folder, { recursive: true });
  const files = writeConfigs(ports, configs, folder);
  const withDefaultFlags = (subject: Subject): Subject => ({
    ...subject,
    server: { ...subject.server, hasDefaultFlags: true },
  });

  const stored = (title: string, options: StoredOptions, more: Partial<TeamRow> = {}): TeamRow => ({
    title,
    hasStreams: true,
    hasLog: options.settings === undefined || !('log' in options.settings),
    make: async (port) => {
      const own = mkdtempSync(path.join(folder, 'store-'));
      const { gatewayFile, key } = await makeStore({ ports, folder: own, ...options });
      const args = ['--config', gatewayFile];
      const headers = { 'x-gw-api-key': key };
      const env = { ...storeEnvironment, ...storeThreadsEnvironment };
      const saved = { args, gateway, headers, flags: startFlags(), config: storedConfig, env };
      return withDefaultFlags(savedConfig(title, port, saved));
    },
    ...more,
  });

  const unstored = (
    title: string,
    {
      config = 'single',
      settings = {},
      ...more
    }: Partial<TeamRow> & { config?: string; settings?: object; isVaried?: boolean },
  ): TeamRow => {
    const { isVaried = false, hasStreams = false } = more;
    return {
      title,
      hasStreams,
      hasLog: false,
      make: async (port) => {
        const file = writeGatewayFile(files.folder, `teams-${port}`, { configs: 'configs', ...settings });
        const args = ['--config', file];
        const saved = { args, gateway, flags: startFlags(), config, env: storeThreadsEnvironment };
        return { ...withDefaultFlags(savedConfig(title, port, saved)), isVaried };
      },
    };
  };

  const sampled = { otlp: { url: `http://127.0.0.1:${ports.receiver}` }, metrics: false, sample_ratio: 0.01 };
  const observed = { metrics: true, telemetry: sampled };
  const noLog = { log: false };
  const redis = { limits: { url: redisUrl } };
  const missing = await whyNoRedis();
  return [
    {
      title: bareTitle,
      hasStreams: true,
      hasLog: false,
      make: async (port) => bare(bareTitle, { port, ports, hasDefaultFlags: true }),
    },
    unstored('without a store', { hasStreams: true }),
    stored('store and keys', { config: single, settings: noLog, storeSettings: { ledger: false } }),
    stored('+ ledger', { config: single, settings: noLog }),
    stored('+ policy', { config: single, settings: noLog, isLimited: true }),
    stored('+ log', { config: single, isLimited: true }),
    stored(
      'the same with Redis',
      { config: single, storeSettings: redis, isLimited: true },
      missing === undefined ? {} : { missing },
    ),
    unstored('three checks', { config: 'checked' }),
    unstored('misses of a cache', { config: 'cached', isVaried: true }),
    unstored('hits of a cache', { config: 'cached' }),
    unstored('metrics', { settings: { metrics: true }, hasStreams: true }),
    unstored('sampled traces', { settings: { telemetry: sampled }, hasStreams: true }),
    stored('all together', { config: threeChecks, settings: observed, isLimited: true }),
  ];
};
