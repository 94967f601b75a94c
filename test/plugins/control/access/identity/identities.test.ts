import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../../../plugins/control/kernel/store/open/open-store.ts';
import type { Store } from '../../../../../plugins/control/kernel/store/store.ts';
import { createVirtualClock } from '../../../../../plugins/testkit/route/virtual-clock.ts';
import { patience } from '../../../../support/run/patience.ts';
import { type PostgresServer, postgresFolder, startPostgres } from '../../../../support/servers/postgres-server.ts';
import { jumpingClock } from '../../support/jumping-clock.ts';
import { type PlaceWorld, startPlaces } from '../../support/place-world.ts';
import { firstKey, type ServedControl, serveControl } from '../../support/served-control.ts';
import { temporaryStore } from '../../support/temporary-store.ts';
import { type Claims, createKey, signToken, startIssuer } from './jwt/support.ts';

/** Returns the labels with which the last request was logged. */
const labels = ({ lines }: ServedControl) => lines.at(-1)?.metadata;

const labelled = async (gateway: ServedControl, key: string, headers: Record<string, string> = {}) => {
  expect(await gateway.chat(key, headers)).toBe(200);
  const { _organisation: _, ...rest } = Object(labels(gateway));
  return rest;
};

describe('the labels of requests', () => {
  it('come from the workspace, then the organisation, then the key, then the request, and follow changes', async () => {
    await using world = await startPlaces();
    const ask = world.as(world.admin);
    const ofKey = { a: 'key', b: 'key', c: 'key' };
    const { key } = await world.make({ defaults: { metadata: ofKey } });
    expect(await labelled(world.gateway, key)).toEqual(ofKey);
    const all = { a: 'organisation', b: 'organisation' };
    await ask('/organisation', { method: 'PUT', json: { settings: { metadata: all } } });
    await ask('/workspaces/default', { method: 'PUT', json: { settings: { metadata: { a: 'workspace' } } } });
    const expected = { a: 'workspace', b: 'organisation', c: 'key' };
    await expect.poll(() => labelled(world.gateway, key), patience).toEqual(expected);
    const sent = { 'x-gw-metadata': JSON.stringify({ a: 'request', b: 'request', c: 'request', d: 'request' }) };
    expect(await labelled(world.gateway, key, sent)).toEqual({ ...expected, d: 'request' });
    await ask('/workspaces/default', { method: 'PUT', json: { settings: { metadata: null } } });
    await expect.poll(() => labelled(world.gateway, key), patience).toEqual({ ...ofKey, ...all });
  });
});

describe('the workspace of an organisation key', () => {
  const withLabel = async (world: PlaceWorld, slug: string): Promise<string> => {
    const settings = { metadata: { of: slug } };
    const ask = world.as(world.admin);
    const { status, body } =
      slug === 'default'
        ? await ask('/workspaces/default', { method: 'PUT', json: { settings } })
        : await ask('/workspaces', { json: { name: slug, slug, settings } });
    expect(status).toBe(200);
    return String(body.id);
  };

  it('is "default", or the one that x-gw-workspace names by slug or id', async () => {
    await using world = await startPlaces();
    await withLabel(world, 'default');
    const id = await withLabel(world, 'research');
    const { key } = await world.make({ kind: 'organisation', defaults: { metadata: { mine: 'yes' } } });
    const named = (name: string) => labelled(world.gateway, key, { 'x-gw-workspace': name });
    await expect.poll(() => world.gateway.chat(key, { 'x-gw-workspace': 'research' }), patience).toBe(200);
    expect(await named('research')).toEqual({ of: 'research', mine: 'yes' });
    expect(await named(id)).toEqual({ of: 'research', mine: 'yes' });
    expect(await labelled(world.gateway, key)).toEqual({ of: 'default', mine: 'yes' });
    const made = await world.gateway.ask('/api-keys', {
      key: world.admin,
      headers: { 'x-gw-workspace': 'research' },
      json: { name: 'k', scopes: [] },
    });
    const { body } = await world.as(world.admin)(`/api-keys/${made.body.id}`);
    expect(body.workspace_id).toBe(id);
  });

  it('cannot be unknown or deleted, and a workspace key cannot name another workspace', async () => {
    await using world = await startPlaces();
    await withLabel(world, 'research');
    const { key } = await world.make({});
    const chat = (by: string, name: string) => world.gateway.chat(by, { 'x-gw-workspace': name });
    await expect.poll(() => chat(world.admin, 'research'), patience).toBe(200);
    expect([await chat(world.admin, 'nowhere'), await chat(key, 'research'), await chat('gw-x', 'research')]).toEqual([
      403, 403, 401,
    ]);
    await world.as(world.admin)('/workspaces/research', { method: 'DELETE' });
    await expect.poll(() => chat(world.admin, 'research'), patience).toBe(403);
  });
});

/** Makes the organisation accept the tokens of an identity provider, and returns a function that signs such tokens. */
const acceptTokens = async (ask: ReturnType<PlaceWorld['as']>) => {
  const key = await createKey('k1');
  const { jwksUrl } = await startIssuer(key);
  const jwt = {
    ...{ issuer: 'https://idp.test/', audience: 'gateway', jwks_url: jwksUrl },
    ...{ default_scopes: ['completions.write'], claims: { workspace: 'ws', metadata: { team: 'team' } } },
  };
  const saved = await ask('/organisation', { method: 'PUT', json: { settings: { jwt } } });
  expect(saved.status).toBe(200);
  const now = Math.floor(Date.now() / 1000);
  return (claims: Claims) =>
    signToken(key, createVirtualClock(), { claims: { iat: now, exp: now + 3600, ws: 'default', ...claims } });
};

describe('a token of an identity provider', () => {
  it('is accepted in the workspace that it claims, with the labels of both, until the settings are removed', async () => {
    await using world = await startPlaces();
    const ask = world.as(world.admin);
    const settings = { metadata: { cost: '7' } };
    await ask('/workspaces', { json: { name: 'r', slug: 'research', settings } });
    const sign = await acceptTokens(ask);
    const token = await sign({ ws: 'research', team: 'of the token' });
    await expect.poll(() => world.gateway.chat(token), patience).toBe(200);
    expect(await labelled(world.gateway, token)).toEqual({ team: 'of the token', cost: '7', _user: 'ann' });
    expect(await world.gateway.chat(await sign({ ws: 'nowhere' }))).toBe(401);
    expect((await world.as(token)('/api-keys')).status).toBe(403);
    expect(await world.gateway.chat(token, { 'x-gw-workspace': 'default' })).toBe(403);
    await ask('/organisation', { method: 'PUT', json: { settings: { jwt: null } } });
    await expect.poll(() => world.gateway.chat(token), patience).toBe(401);
  });
});

describe('a store outage', () => {
  it('leaves known keys and tokens valid for staleAuthMs, and then invalid until it ends', async () => {
    await using opened = await temporaryStore();
    const admin = await firstKey(opened.store);
    const clock = jumpingClock(Date.now());
    let isUnavailable = false;
    const store: Store = {
      ...opened.store,
      versions: () =>
        isUnavailable ? Promise.reject(new Error('The store is unavailable.')) : opened.store.versions(),
    };
    await using gateway = await serveControl(store, { clock, staleAuthMs: 60_000 });
    const sign = await acceptTokens((path, asking) => gateway.ask(path, { key: admin, ...asking }));
    const token = await sign({});
    const both = async () => [await gateway.chat(admin), await gateway.chat(token)];
    const pass = (ms: number) => {
      clock.advance(ms);
      return both();
    };
    await expect.poll(() => pass(250), patience).toEqual([200, 200]);
    isUnavailable = true;
    expect(await pass(59_000)).toEqual([200, 200]);
    expect(await pass(2000)).toEqual([401, 401]);
    isUnavailable = false;
    await expect.poll(() => pass(250), patience).toEqual([200, 200]);
  });
});

const programs = postgresFolder();

describe.runIf(programs !== undefined)('two processes with one PostgreSQL database', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(programs ?? '');
  });
  afterAll(() => server.stop());

  const started = async (store: Store): Promise<ServedControl> => {
    const gateway = await serveControl(store);
    onTestFinished(async () => {
      await gateway[Symbol.asyncDispose]();
      await store.close();
    });
    return gateway;
  };

  it("see each other's new keys, revoked keys, workspaces and token settings", async () => {
    const store = await openStore({ url: server.url });
    const admin = await firstKey(store);
    const here = await started(store);
    const there = await started(await openStore({ url: server.url }));
    const json = { name: 'k', scopes: ['completions.write'] };
    const { id, key } = (await here.ask('/api-keys', { key: admin, json })).body;
    await expect.poll(() => there.chat(String(key)), patience).toBe(200);

    await there.ask('/workspaces', { key: admin, json: { name: 'r', slug: 'research' } });
    await expect.poll(() => here.chat(admin, { 'x-gw-workspace': 'research' }), patience).toBe(200);

    await there.ask(`/api-keys/${id}`, { key: admin, method: 'DELETE' });
    await expect.poll(() => here.chat(String(key)), patience).toBe(401);

    const sign = await acceptTokens((path, asking) => here.ask(path, { key: admin, ...asking }));
    const token = await sign({ ws: 'research' });
    await expect.poll(() => there.chat(token), patience).toBe(200);

    await here.ask('/workspaces/research', { key: admin, method: 'DELETE' });
    await expect.poll(() => there.chat(token), patience).toBe(401);
  });
});
