import path from 'node:path';
import { type ConfigFor, configName, type Ports, traffics, writeGatewayFile } from '../harness/configs.ts';
import { adminKey, ControlClient, masterKey } from '../harness/control-client.ts';
import { startServer } from '../harness/measure.ts';
import { serveArgs } from '../harness/serve-args.ts';

/** A store, the gateway file that serves it, and the service key for its requests. */
export interface BenchStore {
  readonly folder: string;
  readonly gatewayFile: string;
  readonly key: string;
}

/** The environment of a gateway that serves such a store. */
export const storeEnvironment: Readonly<Record<string, string>> = { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: masterKey };

export interface BenchStoreOptions {
  readonly ports: Ports;
  /** An empty folder. */
  readonly folder: string;
  readonly config: ConfigFor;
  /** Further members of the gateway file. */
  readonly settings?: object;
  /** Further members of the store's settings, in addition to its URL. */
  readonly storeSettings?: object;
  /** Whether a policy limits the cost of each key's requests. */
  readonly isLimited?: boolean;
}

/** The limit is so high that no benchmark reaches it. */
const costPolicy = {
  name: 'bench',
  workspace_id: 'default',
  type: 'cost',
  credit_limit: 1_000_000,
  conditions: [{ key: 'workspace_id', value: '*' }],
  group_by: [{ key: 'api_key' }],
};

/** The name of the config in such a store. */
export const storedConfig = 'saved';

/** Creates a store through the API, with a service key and with a config for each kind of traffic. */
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
