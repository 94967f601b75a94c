import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resources } from '../../../plugins/control/resources.ts';
import { toNewBody } from '../../plugins/control/support/resource-bodies.ts';
import { writeFolder } from '../../support/gateway-process.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../support/postgres-server.ts';
import { describedRoutes } from './support/described-routes.ts';
import { startTenants, type TenantWorld } from './support/tenant-world.ts';

let world: TenantWorld;

const policy = { conditions: [{ key: 'config', value: 'none' }], group_by: [{ key: 'api_key' }] };

/** Bodies that make records of lists that are paged by records, by the path of the list; each number gives another one. */
const bodies: Readonly<Record<string, (at: number) => object>> = {
  '/configs': (at) => ({ name: 'c', slug: `c-${at}`, config: { provider: 'echo' } }),
  '/prompts': (at) => ({ name: 'p', slug: `p-${at}`, string: '[]', parameters: {}, virtual_key: 'vk' }),
  '/prompts/partials': (at) => ({ name: 'p', slug: `part-${at}`, string: 'Be.' }),
  '/api-keys': (at) => ({ name: `k-${at}`, scopes: [], workspace_id: world.ours.slug }),
  '/policies/usage-limits': (at) => ({ ...policy, type: 'tokens', credit_limit: at + 1 }),
  '/policies/rate-limits': (at) => ({ ...policy, type: 'requests', unit: 'rpd', value: at + 1 }),
  // Each of these is recorded there.
  '/audit-logs': (at) => ({ name: 'l', slug: `audited-${at}`, config: { provider: 'echo' } }),
  ...Object.fromEntries(
    resources.map((resource) => [
      resource.path,
      (at: number) => ({
        ...toNewBody(resource, at),
        ...(resource.naming === undefined
          ? {}
          : { [resource.naming]: `paged-${resource.noun.replaceAll(' ', '-')}-${at}` }),
      }),
    ]),
  ),
};

/** Lists of requests and of what providers have, whose tests insert between pages themselves. */
const elsewhere = new Set(['/logs', '/batches', '/files', '/fine_tuning/jobs', '/responses']);

const postgres = postgresFolder();
const stores = postgres === undefined ? ['SQLite'] : ['SQLite', 'PostgreSQL'];

describe.each(stores)('in %s, a list that is read page by page', (kind) => {
  let server: PostgresServer | undefined;

  beforeAll(async () => {
    server = kind === 'PostgreSQL' ? await startPostgres(postgres ?? '') : undefined;
    world = await startTenants(writeFolder({}), server === undefined ? {} : { store: server.url });
    const virtualKey = { name: 'vk', slug: 'vk', provider: 'echo' };
    await world.done('POST /v1/virtual-keys', { key: world.ours.key, body: virtualKey });
  });
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
    await server?.stop();
  });

  it('repeats nothing, and loses nothing, while records are made between the pages', async () => {
    const routes = await describedRoutes(world);
    const paths = routes
      .filter(({ method, members }) => method === 'GET' && members.includes('query:after'))
      .map(({ path }) => path)
      .filter((path) => !path.includes('{') && !elsewhere.has(path));
    expect(paths).toEqual(expect.arrayContaining([...resources.map(({ path }) => path), '/api-keys', '/audit-logs']));
    for (const path of paths) {
      const { ours } = world;
      const key = ['/workspaces', '/integrations', '/api-keys'].includes(path) ? ours.admin : ours.key;
      let made = 0;
      const make = async (): Promise<void> => {
        made += 1;
        const body = bodies[path]?.(made);
        expect(body, path).toBeDefined();
        await world.done(`POST /v1${path === '/audit-logs' ? '/configs' : path}`, { key, body });
      };
      const page = async (query: string): Promise<readonly string[]> => {
        const { status, text } = await world.ask(`GET /v1${path}?${query}`, { key });
        expect(status, `${path}: ${text}`).toBe(200);
        return JSON.parse(text).data.map(({ id }: { readonly id: string }) => id);
      };
      for (let at = 0; at < 5; at += 1) await make();
      const before = await page('page_size=1000');
      const size = `page_size=${Math.ceil(before.length / 3)}`;
      const seen: string[] = [];
      for (let read = await page(size); read.length > 0; read = await page(`${size}&after=${seen.at(-1)}`)) {
        seen.push(...read);
        await make();
        expect(made, path).toBeLessThan(20);
      }
      expect(new Set(seen).size, path).toBe(seen.length);
      expect(
        before.filter((id) => !seen.includes(id)),
        path,
      ).toEqual([]);
    }
  }, 120_000);
});
