import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeFolder } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { withoutName } from './support/asking.ts';
import { saveAlike } from './support/save-alike.ts';
import { startTenants, type Tenant, type TenantWorld } from './support/tenant-world.ts';

let world: TenantWorld;
let issuer: TestUpstream;
let sign: (audience: string, workspace: string) => Promise<string>;

const body = { model: 'm', messages: [{ role: 'user', content: 'Hello!' }] };
const chat = (key: string, headers: Readonly<Record<string, string>> = {}) =>
  world.ask('POST /v1/chat/completions', { key, headers, body });

beforeAll(async () => {
  world = await startTenants(writeFolder({}));
  const { ours, neighbour, stranger } = world;
  for (const tenant of [ours, neighbour, stranger]) await saveAlike(world, tenant, 'apple');
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256', use: 'sig' };
  issuer = await startUpstream((call) => call.json({ keys: [jwk] }));
  for (const [audience, { admin }] of Object.entries({ first: ours, second: stranger })) {
    const jwt = {
      ...{ issuer: 'https://idp.test/', audience, jwks_url: `${issuer.origin}/keys` },
      ...{ claims: { workspace: 'ws', user: 'sub' }, default_scopes: ['completions.write', 'configs.read'] },
    };
    await world.done('PUT /v1/organisation', { key: admin, body: { settings: { jwt } } });
  }
  sign = (audience, workspace) =>
    new SignJWT({ ws: workspace })
      .setProtectedHeader({ alg: 'ES256', kid: 'k' })
      .setIssuer('https://idp.test/')
      .setAudience(audience)
      .setSubject('ann')
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(privateKey);
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await issuer.close();
});

describe('a token of an organisation’s identity provider', () => {
  const asking = (token: string): { readonly key: string; readonly headers: Readonly<Record<string, string>> } => ({
    key: '',
    headers: { authorization: `Bearer ${token}` },
  });

  it('acts in the workspace of its own organisation, even if others share its name', async () => {
    const { ours, neighbour, stranger } = world;
    for (const [audience, workspace, tenant] of [
      ['first', 'team', ours],
      ['second', 'team', stranger],
      ['first', neighbour.id, neighbour],
    ] as const) {
      const { key, headers } = asking(await sign(audience, workspace));
      const { status, text } = await chat(key, headers);
      expect([status, text]).toEqual([200, expect.stringContaining(tenant.credential)]);
    }
  });

  it('is rejected for a workspace of another organisation as for one that does not exist', async () => {
    const { ours, neighbour, stranger } = world;
    for (const [audience, workspace] of [
      ['second', ours.id],
      ['second', neighbour.slug],
      ['first', stranger.id],
    ] as const) {
      const [found, none] = await Promise.all(
        [workspace, 'nowhere'].map(async (name) => {
          const { key, headers } = asking(await sign(audience, name));
          return withoutName(await chat(key, headers), name);
        }),
      );
      expect(found).toEqual(none);
      expect(found).toMatchObject({ status: 401 });
    }
  });

  it('cannot access another workspace by a header', async () => {
    const { headers } = asking(await sign('first', 'team'));
    for (const name of [world.neighbour.id, 'neighbour', world.stranger.id, 'default'])
      expect((await chat('', { ...headers, 'x-gw-workspace': name })).status).toBe(403);
  });
});

describe('a deleted workspace', () => {
  it('leaves nothing to its keys, or to a later workspace with the same slug', async () => {
    const { admin } = world.ours;
    const make = async (): Promise<Pick<Tenant, 'id' | 'key'> & { readonly keyId: string }> => {
      const { id } = await world.done('POST /v1/workspaces', { key: admin, body: { name: 'brief', slug: 'brief' } });
      const scopes = ['completions.write', 'configs.create', 'configs.delete'];
      const made = await world.done('POST /v1/api-keys/workspace/service', {
        key: admin,
        body: { name: 'k', workspace_id: 'brief', scopes },
      });
      return { id, key: made.key, keyId: made.id };
    };
    const first = await make();
    const config = { name: 'c', slug: 'app', config: { provider: 'echo' } };
    const repeated = { 'idempotency-key': 'once' };
    await world.done('POST /v1/configs', { key: first.key, headers: repeated, body: config });
    await expect.poll(async () => (await chat(first.key, { 'x-gw-config': 'app' })).status).toBe(200);
    await world.done('DELETE /v1/configs/app', { key: first.key });
    await world.done(`DELETE /v1/api-keys/${first.keyId}`, { key: admin });
    await world.done('DELETE /v1/workspaces/brief', { key: admin });
    await expect.poll(async () => (await chat(first.key)).status).toBe(401);
    const second = await make();
    await expect.poll(async () => (await chat(second.key, { 'x-gw-config': 'app' })).status).toBe(404);
    const made = await world.ask('POST /v1/configs', { key: second.key, headers: repeated, body: config });
    expect([made.status, made.headers.get('idempotent-replayed')]).toEqual([200, null]);
    expect((await chat(first.key)).status).toBe(401);
    expect((await chat(admin, { 'x-gw-workspace': first.id })).status).toBe(403);
  });
});

describe('an integration', () => {
  it('stops serving a workspace that it is removed from', async () => {
    const { ours, neighbour } = world;
    const shared = {
      ...{ name: 'i', slug: 'shared', provider: 'openai', key: 'sk-of-the-organisation' },
      settings: { custom_host: `${ours.upstream.origin}/v1` },
    };
    await world.done('POST /v1/integrations', { key: ours.admin, body: shared });
    for (const { key } of [ours, neighbour]) {
      const provider = { name: 'via', slug: 'via', integration_id: 'shared' };
      await world.done('POST /v1/providers', { key, body: provider });
      expect((await chat(key, { 'x-gw-provider': '@via' })).status).toBe(200);
    }
    await world.done('PUT /v1/integrations/shared', { key: ours.admin, body: { workspaces: [ours.id] } });
    await expect.poll(async () => (await chat(neighbour.key, { 'x-gw-provider': '@via' })).status).toBe(400);
    const before = ours.upstream.requests.length;
    expect((await chat(neighbour.key, { 'x-gw-config': '{"provider":"@via"}' })).status).toBe(400);
    expect(ours.upstream.requests).toHaveLength(before);
    expect((await chat(ours.key, { 'x-gw-provider': '@via' })).status).toBe(200);
  });
});
