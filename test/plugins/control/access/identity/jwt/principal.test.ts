import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../../../schema/json/json.ts';
import { type Claims, createKey, createWorld, type SigningKey, signToken } from './support.ts';

let key: SigningKey;

beforeAll(async () => {
  key = await createKey('k1');
});

const identified = async (claims: Claims, settings: JsonObject = {}) => {
  const world = await createWorld({ key, settings });
  const principal = await world.identified(await signToken(key, world.clock, { claims }));
  return principal ?? world.refusals[0];
};

const readScopes = async (claims: Claims, settings: JsonObject = {}) => {
  const found = await identified(claims, {
    claims: { scopes: 'scope' },
    scope_map: { edit: ['configs.read', 'configs.update'], look: ['configs.read', 'logs.view'] },
    ...settings,
  });
  return typeof found === 'object' ? [...(found.scopes ?? [])].sort() : found;
};

describe('the caller of a token', () => {
  it('is a user of the workspace "default", with the default scopes', async () => {
    expect(await identified({})).toEqual({
      tenant: 'acme-default',
      organisation: 'acme',
      workspace: 'acme-default',
      reach: 'workspace',
      scopes: new Set(['completions.write']),
      defaults: { metadata: { _user: 'ann' }, allowConfigOverride: true },
      userId: 'ann',
    });
  });

  it('belongs to the workspace that the token names', async () => {
    const settings = { claims: { workspace: 'ws' } };
    expect(await identified({ ws: 'team' }, settings)).toMatchObject({ tenant: 'acme-team', workspace: 'acme-team' });
    expect(await identified({ ws: 'none' }, settings)).toBe(
      'The organisation does not have the workspace that the token names.',
    );
    for (const ws of [undefined, null, ['team'], 7])
      expect(await identified({ ws }, settings)).toBe('The claim for the workspace is missing, or is not a text.');
    expect(await identified({ ws: 'team' })).toMatchObject({ tenant: 'acme-default' });
  });

  it('gets its user and metadata from the configured claims', async () => {
    const metadata = {
      team: 'org.unit',
      level: 'level',
      staff: 'https://acme.test/staff',
      gone: 'gone',
      refused: 'org.unit',
    };
    const claims = {
      email: 'ann@acme.test',
      org: { unit: 'sales' },
      level: 3,
      'https://acme.test/staff': true,
      gone: null,
    };
    expect(await identified(claims, { claims: { user: 'email', metadata } })).toMatchObject({
      userId: 'ann@acme.test',
      defaults: {
        metadata: { _user: 'ann@acme.test', team: 'sales', level: '3', staff: 'true', refused: 'sales' },
      },
    });
  });

  it('gets no metadata from inherited properties such as "constructor"', async () => {
    const settings = { claims: { metadata: { a: 'constructor.name', b: 'toString', c: 'org.__proto__.d' } } };
    expect(await identified({ org: {} }, settings)).toMatchObject({ defaults: { metadata: { _user: 'ann' } } });
  });

  it('is refused if the claim for a metadata entry is not a text of 1 to 128 characters', async () => {
    const settings = { claims: { metadata: { team: 'team' } } };
    expect(await identified({ team: 'a'.repeat(128) }, settings)).toMatchObject({ userId: 'ann' });
    for (const team of ['', 'a'.repeat(129), ['a'], { a: 'b' }])
      expect(await identified({ team }, settings)).toBe(
        'The claim for the metadata "team" is not a text of 1 to 128 characters.',
      );
  });

  it('is refused if the claim for the user or a metadata entry is a number that would be rounded', async () => {
    const settings = { claims: { metadata: { team: 'team' } } };
    expect(await identified({ sub: 2 ** 53 - 1 })).toMatchObject({ userId: '9007199254740991' });
    expect(await identified({ sub: 2 ** 53 })).toMatch(/^The claim for the user is a number beyond 9007199254740991/);
    expect(await identified({ team: -(2 ** 53) }, settings)).toMatch(/^The claim for the metadata "team" is a number/);
  });

  it('has the scopes that the scope map grants, and no others', async () => {
    expect(await readScopes({ scope: 'edit' })).toEqual(['configs.read', 'configs.update']);
    expect(await readScopes({ scope: 'openid look edit' })).toEqual(['configs.read', 'configs.update', 'logs.view']);
    expect(await readScopes({ scope: ['look'] })).toEqual(['configs.read', 'logs.view']);
    expect(await readScopes({ scope: 'logs.view completions.write constructor' })).toEqual([]);
    expect(await readScopes({ scope: '' })).toEqual([]);
    expect(await readScopes({})).toEqual(['completions.write']);
    expect(await readScopes({}, { default_scopes: ['logs.view'] })).toEqual(['logs.view']);
    for (const scope of [7, { edit: true }, ['edit', 1]])
      expect(await readScopes({ scope })).toBe('The claim with the scopes is neither a text nor a list of texts.');
  });

  it('can get its scopes from a claim inside an object', async () => {
    const claims = { realm_access: { roles: ['edit'] } };
    expect(await readScopes(claims, { claims: { scopes: 'realm_access.roles' } })).toEqual([
      'configs.read',
      'configs.update',
    ]);
  });
});
