import { expect, it, onTestFinished } from 'vitest';
import { createControlIdentities } from '../../../../../plugins/control/access/identity/identities.ts';
import { toStoredCaller } from '../../../../../plugins/control/access/identity/principal-now.ts';
import type { Principal, TenantId } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { jumpingClock } from '../../support/jumping-clock.ts';
import { startPlaces } from '../../support/place-world.ts';

const world = async () => {
  const places = await startPlaces();
  const clock = jumpingClock(Date.now());
  const http = { send: () => Promise.reject(new Error('Nothing is fetched.')) };
  const identities = createControlIdentities({ store: places.store, clock, http });
  await identities.start();
  onTestFinished(async () => {
    identities.close();
    await places[Symbol.asyncDispose]();
  });
  const who = async (key: string): Promise<Principal> => {
    const found = await identities.identify(key);
    if (found === undefined) throw new Error('Nobody has this key.');
    return found;
  };
  const now = (before: Principal) =>
    // As it is read back from the store.
    identities.principalNow(before.tenant, JSON.parse(JSON.stringify(toStoredCaller(before))));
  return { ...places, clock, identities, who, now };
};

it('principalNow returns the caller of a key with the current settings of the key and its workspace', async () => {
  const { who, now, make, as, admin, identities } = await world();
  const { id, key } = await make({ defaults: { metadata: { of: 'key' } } });
  const before = await who(key);
  expect(await now(before)).toEqual(before);
  await as(admin)(`/api-keys/${id}`, { method: 'PUT', json: { defaults: { metadata: { of: 'another' } } } });
  await as(admin)('/workspaces/default', { method: 'PUT', json: { settings: { metadata: { in: 'default' } } } });
  await identities.lookNow();
  expect((await now(before))?.defaults?.metadata).toEqual({ of: 'another', in: 'default' });
});

it('principalNow returns nobody once the key is revoked, expired or no longer allowed to call models', async () => {
  const { who, now, make, as, admin, clock } = await world();
  const soon = Math.floor(clock.wall() / 1000) + 60;
  const keys = [await make({}), await make({ expires_at: soon }), await make({})] as const;
  const [revoked, expiring, limited] = [await who(keys[0].key), await who(keys[1].key), await who(keys[2].key)];
  await as(admin)(`/api-keys/${keys[0].id}`, { method: 'DELETE' });
  await as(admin)(`/api-keys/${keys[2].id}`, { method: 'PUT', json: { scopes: ['logs.list'] } });
  expect([await now(revoked), (await now(expiring))?.keyId, await now(limited)]).toEqual([
    undefined,
    keys[1].id,
    undefined,
  ]);
  clock.advance(61_000);
  expect(await now(expiring)).toBeUndefined();
});

it('principalNow returns a caller in the workspace of its request until that is deleted', async () => {
  const { who, now, as, admin, identities } = await world();
  const { body } = await as(admin)('/workspaces', { json: { name: 'research', slug: 'research' } });
  await identities.lookNow();
  const there = await identities.findWorkspace(await who(admin), 'research');
  expect(there?.tenant).toBe(body.id);
  expect(there && (await now(there))).toEqual(there);
  await as(admin)('/workspaces/research', { method: 'DELETE' });
  expect(there && (await now(there))).toBeUndefined();
});

it('findWorkspace finds for a key of a workspace only its own, by its slug or id', async () => {
  const { who, make, as, admin, identities } = await world();
  const { body } = await as(admin)('/workspaces', { json: { name: 'research', slug: 'research' } });
  const own = await who((await make({})).key);
  await identities.lookNow();
  for (const name of ['default', own.tenant]) expect(await identities.findWorkspace(own, name)).toEqual(own);
  for (const name of ['research', String(body.id), 'unknown'])
    expect(await identities.findWorkspace(own, name)).toBeUndefined();
});

it('principalNow returns the user of a token in its workspace while the organisation accepts tokens', async () => {
  const { who, now, as, admin } = await world();
  const { tenant, organisation = '', workspace = '' } = await who(admin);
  const token = {
    ...{ tenant, organisation, workspace, reach: 'workspace', userId: 'ada', scopes: new Set(['completions.write']) },
    defaults: { metadata: { _user: 'ada' }, allowConfigOverride: true },
  } as Principal;
  const acceptTokens = (jwt: object | null) =>
    as(admin)('/organisation', { method: 'PUT', json: { settings: { jwt } } });
  const jwks_url = 'https://idp.acme.com/keys';
  const accepted = await acceptTokens({
    issuer: 'https://idp.test/',
    audience: 'gateway',
    jwks_url,
    default_scopes: ['completions.write'],
    claims: {},
  });
  expect(accepted.body).not.toHaveProperty('error');
  expect(await now(token)).toEqual(token);
  expect(await now({ ...token, tenant: 'gone' as TenantId })).toBeUndefined();
  await acceptTokens(null);
  expect(await now(token)).toBeUndefined();
});
