import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resources } from '../../../plugins/control/resources.ts';
import { toNewBody } from '../../plugins/control/support/resource-bodies.ts';
import { writeFolder } from '../../support/gateways/gateway-process.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';
import { describedRoutes } from './support/described-routes.ts';
import { startTenants, type TenantWorld } from './support/tenant-world.ts';

let world: TenantWorld;

const policy = { conditions: [{ key: 'config', value: 'none' }], group_by: [{ key: 'api_key' }] };

/** Bodies that create records for the paged lists, by the path of the list. Each number creates another record. */
const bodies: Readonly<Record<string, (at: number) => object>> = {
  '/configs': (at) => ({ name: 'c', slug: `c-${at}`, config: { provider: 'echo' } }),
  '/prompts': (at) => ({ name: 'p', slug: `p-${at}`, string: '[]', parameters: {}, virtual_key: 'vk' }),
  '/prompts/partials': (at) => ({ name: 'p', slug: `part-${at}`, string: 'Be.' }),
  '/api-keys': (at) => ({ name: `k-${at}`, scopes: [], workspace_id: world.ours.slug }),
  '/policies/usage-limits': (at) => ({ ...policy, type: 'tokens', credit_limit: at + 1 }),
  '/policies/rate-limits': (at) => ({ ...policy, type: 'requests', unit: 'rpd', value: at + 1 }),
  // Creating one of these is audited.
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

/** Lists of requests and of records at providers. Their tests insert records between pages themselves. */
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

  it('repeats and loses no record while others are created between the pages', async () => {
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

  it.each([
    ['/configs', (at: number) => ({ config: { provider: 'echo', retry: { attempts: at % 5 }, max_cost_usd: at + 1 } })],
    [
      '/prompts',
      (at: number) => ({ string: `[{"role":"user","content":"${at}"}]`, parameters: {}, virtual_key: 'vk' }),
    ],
    ['/prompts/partials', (at: number) => ({ string: `Be ${at}.` })],
  ])('continues after a version of %s while others are created', async (path, content) => {
    const { key } = world.ours;
    const slug = 'versioned';
    let made = 0;
    const make = async (): Promise<void> => {
      made += 1;
      await world.done(`PUT /v1${path}/${slug}`, { key, body: content(made) });
    };
    const page = async (query: string): Promise<readonly string[]> => {
      const { status, text } = await world.ask(`GET /v1${path}/${slug}/versions?${query}`, { key });
      expect(status, text).toBe(200);
      return JSON.parse(text).data.map(({ id }: { readonly id: string }) => id);
    };
    await world.done(`POST /v1${path}`, { key, body: { name: slug, slug, ...content(0) } });
    for (let at = 0; at < 4; at += 1) await make();
    const before = await page('page_size=100');
    expect(before).toHaveLength(5);
    const seen: string[] = [];
    for (let read = await page('page_size=2'); read.length > 0; read = await page(`page_size=2&after=${seen.at(-1)}`)) {
      seen.push(...read);
      await make();
    }
    expect(seen).toEqual(before);
    expect(await page('after=00000000-0000-4000-8000-000000000000')).toEqual([]);
    const refused = await world.ask(`GET /v1${path}/${slug}/versions?after=nothing`, { key });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('must be a UUID')]);
  });

  it('repeats and loses no request and no file while others are created between the pages', async () => {
    const { key } = world.ours;
    const origin = world.gateway.origin;
    const send = async (path: string, headers: Readonly<Record<string, string>>, body: string | FormData) => {
      const answer = await fetch(`${origin}/v1${path}`, {
        ...{ method: 'POST', headers: { 'x-gw-api-key': key, ...headers }, body },
      });
      expect(answer.status, await answer.text()).toBe(200);
    };
    const chat = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] });
    const makers: Readonly<Record<string, () => Promise<void>>> = {
      '/logs': () => send('/chat/completions', { 'content-type': 'application/json', 'x-gw-provider': 'echo' }, chat),
      '/files': async () => {
        const form = new FormData();
        form.set('purpose', 'batch');
        form.set('file', new File(['{}\n'], 'lines.jsonl'));
        await send('/files', { 'x-gw-provider': 'gw' }, form);
      },
    };
    for (const [path, make] of Object.entries(makers)) {
      const page = async (query: string): Promise<readonly string[]> => {
        const { status, text } = await world.ask(`GET /v1${path}?${query}`, {
          key,
          ...(path === '/files' && { headers: { 'x-gw-provider': 'gw' } }),
        });
        expect(status, `${path}: ${text}`).toBe(200);
        return JSON.parse(text).data.map(({ id }: { readonly id: string }) => id);
      };
      for (let at = 0; at < 5; at += 1) await make();
      await expect.poll(async () => (await page('limit=100')).length).toBeGreaterThanOrEqual(5);
      const before = await page('limit=100');
      const seen: string[] = [];
      for (let read = await page('limit=2'); read.length > 0; read = await page(`limit=2&after=${seen.at(-1)}`)) {
        seen.push(...read);
        await make();
        expect(seen.length, path).toBeLessThan(200);
      }
      expect(new Set(seen).size, path).toBe(seen.length);
      expect(
        before.filter((id) => !seen.includes(id)),
        path,
      ).toEqual([]);
    }
  });
});
