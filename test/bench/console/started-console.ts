import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';
import { single } from '../harness/configs.ts';
import { adminKey, ControlClient } from '../harness/control-client.ts';
import { type Server, startServer } from '../harness/measure.ts';
import { startUpstream } from '../harness/running.ts';
import { serveArgs, startFlags, storeThreadsEnvironment } from '../harness/serve-args.ts';
import { storeEnvironment } from '../teams/bench-store.ts';
import type { ConsoleOptions } from './options.ts';

/** A gateway with a store, a console and a provider. */
export interface StartedConsole {
  readonly origin: string;
  readonly server: Server;
  /** The URL or the file of the store. */
  readonly store: string;
  readonly client: ControlClient;
  /** A service key whose requests go through the config `saved`. */
  readonly key: string;
  /** Signs in in a browser context. */
  signIn(context: BrowserContext): Promise<void>;
  /** Stops the gateway, runs work that needs exclusive access to the store, and starts the gateway again. */
  whileStopped(work: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

/** The slug of the saved config. */
export const servedConfig = 'saved';

const prepare = async (client: ControlClient, { ports }: ConsoleOptions): Promise<string> => {
  await client.made('POST /configs', { body: { name: 'Saved', slug: servedConfig, config: single(ports, '') } });
  const { key } = await client.made('POST /api-keys/workspace/service', {
    body: { name: 'bench', scopes: ['completions.write'], workspace_id: 'default' },
  });
  return key;
};

/** Starts an installed gateway with the options of `npm start`. */
export const startConsole = async (options: ConsoleOptions): Promise<StartedConsole> => {
  const { ports, gateway } = options;
  const ends: (() => unknown)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of ends.reverse()) await end();
  };
  try {
    ends.push(await startUpstream(ports));
    const folder = mkdtempSync(path.join(tmpdir(), 'gw-bench-console-'));
    ends.push(() => rmSync(folder, { recursive: true, force: true }));
    let store = path.join(folder, 'gateway.db');
    if (options.store === 'postgres') {
      const programs = postgresFolder();
      if (programs === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql.');
      const postgres = await startPostgres(programs);
      ends.push(() => postgres.stop());
      store = postgres.url;
    }
    const serve = (): Promise<Server> =>
      startServer({
        ...{ name: 'gateway', port: ports.first, probe: { method: 'GET', path: '/livez' }, hasDefaultFlags: true },
        args: [...startFlags(), ...serveArgs(['--store', store], gateway)],
        env: {
          ...{ GW_TRUSTED_HOSTS: '127.0.0.1', BENCH_KEY: 'bench-target-key', GW_HOST: '127.0.0.1' },
          ...{ ...storeEnvironment, ...storeThreadsEnvironment },
        },
      });
    let server = await serve();
    ends.push(() => server.stop());
    const client = new ControlClient(ports.first);
    ends.push(() => client.close());
    const key = await prepare(client, options);
    const origin = `http://127.0.0.1:${ports.first}`;
    return {
      ...{ origin, store, client, key, stop },
      get server() {
        return server;
      },
      async whileStopped(work) {
        await server.stop();
        await work();
        server = await serve();
      },
      async signIn(context) {
        const headers = { origin, 'x-gw-console': '1' };
        const answer = await context.request.post(`${origin}/console/session`, { data: { key: adminKey }, headers });
        if (!answer.ok()) throw new Error(`Signing in: ${answer.status()} ${await answer.text()}`);
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
