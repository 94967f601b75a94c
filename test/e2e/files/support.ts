import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey } from '../../support/gateways/stored-gateway.ts';

/** A gateway with a store that keeps files of at most 50 MB each, and 60 MB for a workspace. */
export const startFiles = (
  files: object = { max_bytes: 50_000_000, quota_bytes: 60_000_000 },
  env: Readonly<Record<string, string>> = {},
  settings: object = {},
): Promise<GatewayProcess> =>
  startGateway({
    files: { 'gateway.json': { store: { url: 'gateway.db', files }, trusted_hosts: ['127.0.0.1'], ...settings } },
    env: { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'), ...env },
  });

/** Sends requests with a key, the admin key by default. */
export const caller =
  ({ baseUrl }: GatewayProcess, key: string = adminKey) =>
  (request: string, init: RequestInit & { readonly headers?: Record<string, string> } = {}): Promise<Response> => {
    const [method = 'GET', path = '/'] = request.split(' ');
    return fetch(baseUrl + path, { ...init, method, headers: { 'x-gw-api-key': key, ...init.headers } });
  };

export const forUs = { 'x-gw-provider': 'gw' };

/** A form with these fields in this order. Bytes are a file `lines.jsonl`. */
export const toForm = (fields: readonly (readonly [string, string | Buffer])[]): FormData => {
  const form = new FormData();
  for (const [name, value] of fields)
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([value]), 'lines.jsonl');
  return form;
};
