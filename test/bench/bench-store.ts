import path from 'node:path';
import { type ConfigFor, configName, type Ports, traffics, writeGatewayFile } from './configs.ts';
import { adminKey, ControlClient, masterKey } from './control-client.ts';
import { startServer } from './measure.ts';
import { serveArgs } from './serve-args.ts';

/** A store, the gateway file that serves it, and the service key that its requests have. */
export interface BenchStore {
  readonly folder: string;
  readonly gatewayFile: string;
  readonly key: string;
}

/** What a gateway of such a store is started with. */
export const storeEnvironment: Readonly<Record<string, string>> = { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: masterKey };

export interface BenchStoreOptions {
  readonly ports: Ports;
  /** An empty folder. */
  readonly folder: string;
  readonly config: ConfigFor;
  /** Of the gateway file, beside its store. */
  readonly settings?: object;
  /** Of its store, beside its URL. */
  readonly storeSettings?: object;
  /** Whether each key has a limit of what its requests may cost. */
  readonly isLimited?: boolean;
}

/** So much that nothing of a benchmark reaches it. */
const costPolicy = {
  name: 'bench',
  workspace_id: 'default',
  type: 'cost',
  credit_limit: 1_000_000,
  conditions: [{ key: 'workspace_id', value: '*' }],
  group_by: [{ key: 'api_key' }],
};

/** The name of the config of such a store. */
export const storedConfig = 'saved';

/** Makes a store with a service key, and with a config for every traffic, through the API. */
export const makeStore = async (options: BenchStoreOptions): Promise<BenchStore> => {
  const { ports, folder, config, settings = {}, storeSettings = {}, isLimited = false } = options;
  const server = await startServer({
    name: 'store',
    port: ports.first + 49,
    args: serveArgs(['--store', path.join(folder, 'gateway.db')]),
    env: { GW_TRUSTED_HOSTS: '127.0.0.1', ...storeEnvironment },
    probe: { method: 'GET', path: '/livez' },
  });
  const client = new ControlClient(server.port);
  try {
    for (const traffic of traffics) {
      const slug = configName(storedConfig, traffic);
      await client.made('POST /configs', { body: { name: slug, slug, config: config(ports, traffic) } });
    }
    const { key } = await client.made('POST /api-keys/workspace/service', {
      body: { name: 'bench', scopes: ['completions.write'], workspace_id: 'default' },
    });
    if (isLimited) await client.made('POST /policies/usage-limits', { body: costPolicy });
    const store = { url: 'gateway.db', ...storeSettings };
    return { folder, key, gatewayFile: writeGatewayFile(folder, 'gateway', { store, ...settings }) };
  } finally {
    client.close();
    await server.stop();
  }
};
