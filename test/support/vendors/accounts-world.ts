import path from 'node:path';
import OpenAI from 'openai';
import { openStore } from '../../../plugins/control/kernel/store/open/open-store.ts';
import { createRemoteIds } from '../../../plugins/control/work/remote-ids/remote-ids.ts';
import type { TenantId } from '../../../plugins/sdk/exchange/exchange.ts';
import { type GatewayProcess, startGateway } from '../gateways/gateway-process.ts';
import { adminKey, control } from '../gateways/stored-gateway.ts';

export interface SavedAccount {
  readonly slug: string;
  readonly provider: string;
  readonly origin: string;
  /** The path of its base URL. */
  readonly base?: string;
  readonly settings?: object;
  readonly credential?: object;
}

export interface AccountsWorld {
  readonly gateway: GatewayProcess;
  /** Saves an account in the default workspace, as one that other workspaces might share. */
  save(account: SavedAccount): Promise<void>;
  /** Returns an official client that names an account. */
  client(slug: string, key?: string): OpenAI;
  /** Records that a workspace, by default `default`, has uploaded a file to an account. */
  noteFile(slug: string, file: string, workspace?: string): Promise<void>;
}

/**
 * Starts a gateway with a store, which its test stops. `files` is the gateway file's section on files, and `members` are its
 * other members.
 */
export const accountsWorld = async (files: object = {}, members: object = {}): Promise<AccountsWorld> => {
  const gateway = await startGateway({
    files: { 'gateway.json': { store: { url: 'gateway.db', files }, trusted_hosts: ['127.0.0.1'], ...members } },
    env: { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') },
  });
  return {
    gateway,
    async save({ slug, provider, origin, base = '', settings = {}, credential = { api_key: 'sk-1' } }) {
      await control(gateway, 'POST /providers', {
        body: {
          ...{ name: slug, slug, provider, credential },
          settings: { unknown_ids: 'refuse', ...settings, custom_host: `${origin}${base}` },
        },
      });
    },
    async noteFile(slug, file, workspace = 'default') {
      const store = await openStore({ url: path.join(gateway.folder, 'gateway.db'), serving: false });
      const { id } = await store.db
        .selectFrom('workspaces')
        .select('id')
        .where('slug', '=', workspace)
        .executeTakeFirstOrThrow();
      const remoteIds = createRemoteIds({ store, now: Date.now });
      await remoteIds.record(id as TenantId, { kind: 'file', id: file, slug });
      await store.close();
    },
    client: (slug, key = adminKey) =>
      new OpenAI({
        apiKey: 'not-used',
        baseURL: gateway.baseUrl,
        maxRetries: 0,
        defaultHeaders: { authorization: null, 'x-gw-api-key': key, 'x-gw-virtual-key': slug },
      }),
  };
};
