import path from 'node:path';
import { type ConfigFor, configName, fallingBack, type Ports, type Traffic } from './configs.ts';
import type { ServerOptions } from './measure.ts';
import { chatRequest } from './payloads.ts';
import { serveArgs } from './serve-args.ts';

/** A gateway or proxy to measure, and how requests reach the benchmark's upstream through it. */
export interface Subject {
  readonly server: ServerOptions;
  route(traffic: Traffic): Route;
  /** The route of a request that falls back once; only for subjects whose requests carry their config. */
  readonly fallback?: Route;
  /** The route of requests that are not traced. They go to the same process, because processes that run the same code differ. */
  readonly untraced?: Route;
  /** Whether all requests differ; false if absent. */
  readonly isVaried?: boolean;
}

export interface Route {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

const root = path.join(import.meta.dirname, '../../..');
const chatPath = '/v1/chat/completions';
const metadata = JSON.stringify({ user_plan: 'paid' });

const chatProbe = (headers: Readonly<Record<string, string>>): ServerOptions['probe'] => ({
  method: 'POST',
  path: chatPath,
  headers: { 'content-type': 'application/json', ...headers },
  body: chatRequest(),
});

interface BareOptions {
  readonly port: number;
  readonly ports: Ports;
  readonly parses?: boolean;
  readonly hasDefaultFlags?: boolean;
}

/** A bare proxy, which parses request bodies by default. */
export const bare = (name: string, options: BareOptions): Subject => {
  const { port, ports, parses = true, hasDefaultFlags = false } = options;
  return {
    server: {
      name,
      port,
      args: [path.join(import.meta.dirname, 'bare-proxy.ts')],
      env: { UPSTREAM: String(ports.upstream), PARSE: parses ? '1' : '0' },
      probe: { method: 'GET', path: '/livez' },
      hasDefaultFlags,
    },
    route: (traffic) => ({ path: `${traffic}${chatPath}`, headers: {} }),
  };
};

interface HeaderSubject {
  readonly ports: Ports;
  readonly config: ConfigFor;
  /** Node's own options. */
  readonly flags?: readonly string[];
  /** The folder of the gateway's checkout; this one if absent. */
  readonly checkout?: string;
}

/** A gateway whose requests carry their config. */
export const headerConfig = (
  name: string,
  port: number,
  { ports, config, flags = [], checkout = root }: HeaderSubject,
): Subject => {
  const toRoute = (written: object): Route => ({
    path: chatPath,
    headers: { 'x-gw-config': JSON.stringify(written), 'x-gw-metadata': metadata },
  });
  const route = (traffic: Traffic): Route => toRoute(config(ports, traffic));
  return {
    server: {
      name,
      port,
      args: [...flags, ...serveArgs([], path.join(checkout, 'gw.js'))],
      env: { GW_TRUSTED_HOSTS: '127.0.0.1' },
      probe: chatProbe(route('').headers),
    },
    route,
    fallback: toRoute(fallingBack(ports)),
  };
};

interface SavedSubject {
  /** The options of `gw serve`. */
  readonly args: readonly string[];
  /** The path of `gw.js`; that of this checkout if absent. */
  readonly gateway?: string;
  /** Node's own options. */
  readonly flags?: readonly string[];
  /** The name of the config; `nested` if absent. */
  readonly config?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** A gateway that stores the configs of its requests. */
export const savedConfig = (
  name: string,
  port: number,
  { args, gateway, flags = [], config = 'nested', headers = {}, env = {} }: SavedSubject,
): Subject => {
  const route: Subject['route'] = (traffic) => ({
    path: chatPath,
    headers: { 'x-gw-config': configName(config, traffic), 'x-gw-metadata': metadata, ...headers },
  });
  return {
    server: {
      name,
      port,
      args: [...flags, ...serveArgs(args, gateway)],
      env: { GW_TRUSTED_HOSTS: '127.0.0.1', BENCH_KEY: 'bench-target-key', ...env },
      probe: chatProbe(route('').headers),
    },
    route,
  };
};
