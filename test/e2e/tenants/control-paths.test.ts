import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeFolder } from '../../support/gateways/gateway-process.ts';
import { isSampled } from '../../support/run/sampled-pairs.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../support/servers/postgres-server.ts';
import { withoutName } from './support/asking.ts';
import { type DescribedRoute, describedRoutes } from './support/described-routes.ts';
import { headersFor } from './support/file-and-batch.ts';
import { type Records, saveAll } from './support/save-all.ts';
import { startTenants, type TenantWorld } from './support/tenant-world.ts';
import { validBodies } from './support/valid-bodies.ts';

let world: TenantWorld;
let theirs: Records;
let routes: readonly DescribedRoute[];
let before: ReadonlyMap<string, string>;

const bodied = new Set(['POST', 'PUT', 'PATCH']);

/** Returns the path of a route up to its first parameter, and the rest. */
const split = (path: string): readonly [stem: string, rest: string] => {
  const end = path.indexOf('}') + 1;
  return [path.slice(0, end), path.slice(end)];
};

const pathTo = (path: string, name: string): string => `/v1${path.replace(/\{\w+\}/g, name)}`;

const encoded = (name: string): string => name.replaceAll(/./g, (each) => `%${each.charCodeAt(0).toString(16)}`);

/** Other ways to write a control path. Some servers treat some of them as equal. */
const toSpellings = (path: string, name: string): readonly string[] => {
  const at = (written: string): string => path.replace(/\{\w+\}/, written);
  const names = [encoded(name), name.toUpperCase(), `${name}%00`, `%20${name}`];
  const whole = at(name);
  const prefixes = ['/v1/v1', '', '/v1/', '/V1', '/v1/proxy', '/%761'];
  return [
    ...names.map((each) => `/v1${at(each)}`),
    ...prefixes.map((prefix) => `${prefix}${whole}`),
    ...['/', ';x', '%2f', '?x-gw-workspace=team', '#x'].map((end) => `/v1${whole}${end}`),
  ];
};

/** Returns another name of the same form that nothing has. */
const unknownLike = (name: string): string =>
  /^(?:gw-\w+-)?[\da-f]{8}-/.test(name) ? `${name.slice(0, -6)}ffffff` : `qq${name.slice(2)}`;

interface Named {
  readonly route: DescribedRoute;
  readonly stem: string;
  /** The name of a record of `ours`. */
  readonly name: string;
}

const named = (): readonly Named[] =>
  routes
    .filter(({ path }) => path.includes('{'))
    .flatMap((route) => {
      const [stem] = split(route.path);
      return (theirs[stem] ?? []).map((name) => ({ route, stem, name }));
    });

const reads = (): readonly Named[] => named().filter(({ route: { method } }) => method === 'GET');

/** Returns everything that the owner can read of its records. */
const state = async (): Promise<ReadonlyMap<string, string>> => {
  const { key, admin } = world.ours;
  const read = async ({ route: { path }, stem, name }: Named) => {
    const request = `GET ${pathTo(path, name)}`;
    const headers = headersFor(path, 'zzours');
    const { status, text } = await world.ask(request, { key: stem === '/integrations/{slug}' ? admin : key, headers });
    expect(status, request).toBe(200);
    return [request, text] as const;
  };
  return new Map(await Promise.all(reads().map(read)));
};

interface Attacker {
  readonly name: string;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
}

const attackers = (): readonly Attacker[] => {
  const { neighbour, stranger } = world;
  return [
    { name: 'neighbour', key: neighbour.key, headers: {} },
    { name: 'stranger', key: stranger.key, headers: {} },
    { name: 'stranger', key: stranger.admin, headers: {} },
    { name: 'stranger', key: stranger.admin, headers: { 'x-gw-workspace': 'team' } },
  ];
};

/** A key of the organisation can access these in all of its workspaces. */
const ofOrganisation = new Set([
  ...['/workspaces/{workspace}', '/api-keys/{id}', '/integrations/{slug}'],
  ...['/policies/usage-limits/{id}', '/policies/rate-limits/{id}'],
]);

const postgres = postgresFolder();
const stores = postgres === undefined ? ['SQLite'] : ['SQLite', 'PostgreSQL'];

describe.each(stores)('in %s, a control path with a name of another tenant', (kind) => {
  /** The two stores try different pairs on the same day. */
  const shift = 2 * stores.indexOf(kind);
  let server: PostgresServer | undefined;

  beforeAll(async () => {
    server = kind === 'PostgreSQL' ? await startPostgres(postgres ?? '') : undefined;
    world = await startTenants(writeFolder({}), server === undefined ? {} : { store: server.url });
    theirs = await saveAll(world, world.ours, 'zzours');
    await saveAll(world, world.neighbour, 'neighbour');
    await saveAll(world, world.stranger, 'stranger');
    routes = await describedRoutes(world);
    before = await state();
  });
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
    await server?.stop();
  });

  it('is covered by this test on every route with a parameter', () => {
    // Public prices belong to nobody.
    const owned = routes.filter(({ path }) => !path.startsWith('/model-configs/'));
    const stems = owned.filter(({ path }) => path.includes('{')).map(({ path }) => split(path)[0]);
    expect(stems.length).toBeGreaterThan(40);
    expect([...new Set(stems)].filter((stem) => (theirs[stem] ?? []).length === 0)).toEqual([]);
    // The second parameter selects a part of the record that the first one names.
    const nested = owned.filter(({ path }) => (path.match(/\{/g) ?? []).length > 1);
    expect(nested.map(({ operationId }) => operationId)).toEqual([
      'reset_usage_policy_entity',
      'reset_rate_policy_entity',
    ]);
  });

  it('is answered like one that does not exist', async () => {
    const { neighbour } = world;
    const acting = { name: 'neighbour', key: neighbour.admin, headers: { 'x-gw-workspace': neighbour.slug } };
    const toAttackers = (stem: string, namedAt: number): readonly Attacker[] =>
      [...attackers(), ...(ofOrganisation.has(stem) ? [] : [acting])].filter((_, at) =>
        isSampled(namedAt + shift, at, 4),
      );
    for (const [namedAt, { route, stem, name: known }] of named().entries())
      for (const attacker of toAttackers(stem, namedAt)) {
        const { method, path, operationId } = route;
        const body = validBodies(attacker.name)[operationId] ?? {};
        const headers = { ...attacker.headers, ...headersFor(path, attacker.name) };
        const asking = { ...attacker, headers, ...(bodied.has(method) ? { body } : {}) };
        const unknown = unknownLike(known);
        const found = await world.ask(`${method} ${pathTo(path, known)}`, asking);
        const none = await world.ask(`${method} ${pathTo(path, unknown)}`, asking);
        const where = `${operationId} ${known} by ${attacker.name}: ${found.text}`;
        expect(withoutName(found, known), where).toEqual(withoutName(none, unknown));
        // A workspace key may not change resources of its organisation, whatever it names.
        // For a fine-tuning job the account is resolved first, which some of the callers do not have.
        const others = [...(ofOrganisation.has(stem) ? [403] : []), ...(stem.startsWith('/fine_tuning') ? [400] : [])];
        expect([404, ...others], where).toContain(found.status);
      }
    expect(await state()).toEqual(before);
  }, 120_000);

  it('is not found by another spelling of the path', async () => {
    const { neighbour, stranger } = world;
    const headers = { 'x-gw-provider': 'openai', authorization: 'Bearer sk-none' };
    // Other spellings of shared paths go to the provider that the sender names.
    const unshared = reads().filter(({ route: { isShared } }) => !isShared);
    for (const [readAt, { route, name }] of unshared.entries())
      for (const spelling of toSpellings(route.path, name).filter((_, at) => isSampled(readAt + shift, at, 4)))
        for (const { key } of [neighbour, stranger]) {
          const { status, text } = await world.ask(`GET ${spelling}`, { key, headers });
          // A path next to a shared path is passed through to a provider, which is unreachable here.
          expect([400, 404, 502], `${spelling}: ${text}`).toContain(status);
          expect(text.replaceAll(new RegExp(name, 'gi'), '')).not.toContain('zzours');
        }
    expect(world.ours.upstream.requests).toHaveLength(0);
  }, 120_000);

  it('does not appear in any list', async () => {
    const lists = routes.filter(
      // The audit log has the attempts of its readers, with the names that they wrote.
      ({ method, path }) => method === 'GET' && !path.includes('{') && path !== '/audit-logs',
    );
    expect(lists.length).toBeGreaterThan(10);
    const ids = Object.values(theirs).flat();
    for (const { path } of lists)
      for (const { name, key, headers: own } of attackers()) {
        const headers = { ...own, ...headersFor(path, name) };
        const query = path.startsWith('/analytics/') ? '?time_min=0&time_max=1' : '';
        const { status, text } = await world.ask(`GET /v1${path}${query}`, { key, headers });
        // Some of the callers have no virtual key.
        expect(['/batches', '/fine_tuning/jobs'].includes(path) ? [200, 400] : [200], path).toContain(status);
        expect(
          ids.filter((id) => text.includes(id)),
          path,
        ).toEqual([]);
        expect(text).not.toContain('zzours');
      }
  });

  it('does not appear in the audit log of others', async () => {
    const stranger = await world.ask('GET /v1/audit-logs?page_size=1000', { key: world.stranger.admin });
    const ours = await world.ask('GET /v1/audit-logs?page_size=1000', { key: world.ours.admin });
    const toIds = ({ text }: { readonly text: string }): readonly string[] =>
      JSON.parse(text).data.map(({ id }: { readonly id: string }) => id);
    expect(toIds(ours).length).toBeGreaterThan(0);
    expect(toIds(stranger).filter((id) => toIds(ours).includes(id))).toEqual([]);
  });
});
