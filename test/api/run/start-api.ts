import { startGateway } from '../../support/gateways/gateway-process.ts';
import { secretText } from '../document/answer-errors.ts';
import type { ApiDocument } from '../document/operations.ts';
import { type Ask, lastingThings } from './lasting-things.ts';
import { startModelUpstream } from './model-upstream.ts';
import type { Place } from './world.ts';

/** A gateway in a separate process, with a store and an upstream. */
export interface RunningApi extends AsyncDisposable {
  readonly origin: string;
  readonly upstream: string;
  readonly admin: string;
  readonly organisation: string;
  readonly document: ApiDocument;
  /** Creates a workspace, and a key in it with these scopes. */
  place(slug: string, scopes: readonly string[]): Promise<Place>;
  /** Everything that the gateway has printed so far. */
  printed(): string;
}

const admin = `${secretText('admin-key')}-of-the-run-with-40-chars`;

interface Made {
  readonly id: string;
  readonly key: string;
}

/** Starts both. `store` is the path of a SQLite file in the gateway's folder, or the URL of a PostgreSQL server. */
export const startApi = async (store: string): Promise<RunningApi> => {
  const upstream = await startModelUpstream();
  const gateway = await startGateway({
    args: ['--store', store],
    env: { GW_ADMIN_KEY: admin, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') },
  });
  const ask: Ask = async (path, body, workspace = 'default') => {
    const answer = await fetch(`${gateway.baseUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...{ 'x-gw-api-key': admin, 'x-gw-workspace': workspace },
        ...(path === '/batches' ? { 'x-gw-virtual-key': 'lasting-key' } : {}),
        ...(path === '/fine_tuning/jobs' ? { 'x-gw-virtual-key': 'lasting-tuning' } : {}),
        ...(body instanceof FormData ? { 'x-gw-provider': 'gw' } : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
  const { id: organisation } = (await ask('/organisation')) as Made;
  return {
    origin: gateway.origin,
    upstream: `${upstream.origin}/v1`,
    admin,
    organisation,
    document: (await ask('/openapi.json')) as ApiDocument,
    place: async (slug, scopes) => {
      const { id } = (await ask('/workspaces', { name: slug, slug })) as Made;
      const body = { name: 'of the run', scopes, workspace_id: id };
      const { key } = (await ask('/api-keys/workspace/service', body)) as Made;
      return {
        id,
        slug,
        key,
        things: new Map(),
        lasting: await lastingThings(ask, { workspace: id, upstream: `${upstream.origin}/v1` }),
      };
    },
    printed: gateway.printed,
    [Symbol.asyncDispose]: async () => {
      await gateway.stop();
      await upstream.close();
    },
  };
};
