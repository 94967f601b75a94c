import { describe, expect, it } from 'vitest';
import { organisationRoutes } from '../../../../../plugins/control/access/workspaces/organisation-routes.ts';
import { scopes } from '../../../../../plugins/control/kernel/requests/scopes.ts';
import { newId } from '../../../../../plugins/control/kernel/store/new-id.ts';
import type { Json } from '../../../../../schema/json/json.ts';
import { controlWorld } from '../../support/control-world.ts';
import { type PlaceWorld, startPlaces } from '../../support/place-world.ts';
import { saveGuardrail } from '../../support/save-guardrail.ts';
import { fileKey, toError, toPointers } from '../../support/served-control.ts';

const jwt = {
  issuer: 'https://login.acme.example/',
  audience: ['gateway', 'mail'],
  jwks_url: 'https://login.acme.example/keys',
  default_scopes: ['completions.write'],
};

const put = (world: PlaceWorld, json: object, key = world.admin) =>
  world.as(key)('/organisation', { method: 'PUT', json });

/** Adds another organisation with these settings. */
const addOrganisation = (world: PlaceWorld, settings: object): Promise<void> =>
  world.store.write(async (writing) => {
    const times = { created_at: 1, updated_at: 1 };
    await writing
      .insertInto('organisations')
      .values({ id: newId(1), name: 'other', settings: JSON.stringify(settings), ...times })
      .execute();
  });

describe('an organisation', () => {
  it('is changed only if it still matches the if-match header', async () => {
    await using world = await controlWorld({ routes: organisationRoutes });
    const ask = (headers: Readonly<Record<string, string>>, method = 'PUT') =>
      fetch(`http://127.0.0.1:${world.port}/v1/organisation`, {
        method,
        headers: { 'x-gw-api-key': world.adminKey, 'content-type': 'application/json', ...headers },
        ...(method === 'PUT' ? { body: '{"name":"Acme"}' } : {}),
      });
    const read = async () => (await ask({}, 'GET')).headers.get('etag') ?? '';
    const before = await read();
    const changed = await ask({ 'if-match': before });
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, await read()]);
    expect(await read()).not.toBe(before);
    expect((await ask({ 'if-match': before })).status).toBe(412);
    expect((await ask({})).status).toBe(200);
  });

  it('is shown with RFC 3339 times and changed only in the members of the request body', async () => {
    await using world = await startPlaces();
    const ask = world.as(world.admin);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const view = {
      ...{ object: 'organisation', id: world.organisation, name: 'default', settings: {} },
      ...{ created_at: time, last_updated_at: time },
    };
    expect(await ask('/organisation')).toEqual({ status: 200, body: view });
    expect((await put(world, { name: 'Acme' })).body).toEqual({ ...view, name: 'Acme' });
    const settings = { metadata: { team: 'a' }, config: 'shared', jwt };
    expect((await put(world, { settings })).body).toEqual({ ...view, name: 'Acme', settings });
    expect((await put(world, { settings: { jwt: null, config: null } })).body.settings).toEqual({
      metadata: { team: 'a' },
    });
    expect((await ask('/organisation')).body.settings).toEqual({ metadata: { team: 'a' } });
  });

  it('accepts a maximum age of cached responses from one minute to three hundred days', async () => {
    await using world = await startPlaces();
    const saved = async (age: unknown): Promise<readonly unknown[]> => {
      const { status, body } = await put(world, { settings: { cache_max_age: age } });
      return [status, body.settings];
    };
    for (const age of [60, 25_923_000]) expect(await saved(age)).toEqual([200, { cache_max_age: age }]);
    for (const age of [59, 25_923_001, 60.5, '60']) expect(await saved(age)).toEqual([400, undefined]);
    expect(await saved(null)).toEqual([200, {}]);
  });

  it('can have its own guardrails and those of the gateway file as defaults, but none of a workspace', async () => {
    const filed = { 'default.contains': { operator: 'none', words: ['fig'] } };
    await using world = await startPlaces({ guardrails: { filed } });
    const { store, organisation } = world;
    const { id } = await store.db.selectFrom('workspaces').select('id').executeTakeFirstOrThrow();
    await saveGuardrail(store, { organisation, workspace: id, slug: 'of-one' });
    await saveGuardrail(store, { organisation, workspace: null, slug: 'of-all' });
    const settings = { input_guardrails: ['of-all'], output_guardrails: ['filed', 'of-all'] };
    expect((await put(world, { settings })).body.settings).toEqual(settings);
    const answer = await put(world, { settings: { ...settings, input_guardrails: ['of-all', 'of-one'] } });
    expect([answer.status, ...toPointers(answer)]).toEqual([400, '/settings/input_guardrails/1']);
  });

  it('refuses settings that are invalid or name unknown things, with all problems at once', async () => {
    await using world = await startPlaces();
    const settings = {
      ...{ config: 'nothing', input_guardrails: ['nothing'], metadata: { '': 'x' } },
      jwt: { issuer: 'https://a.example', jwks_url: 'http://a.example/keys', default_scopes: ['completion.write'] },
    };
    const answer = await put(world, { name: '', settings });
    expect([answer.status, ...toPointers(answer)]).toEqual([
      ...[400, '/name', '/settings/metadata/', '/settings/config', '/settings/input_guardrails/0'],
      ...['/settings/jwt/audience', '/settings/jwt/jwks_url', '/settings/jwt/default_scopes/0'],
    ]);
    expect((await world.as(world.admin)('/organisation')).body.settings).toEqual({});
  });

  it.each(['https://169.254.169.254/keys', 'https://10.0.0.7/keys', 'https://idp.internal/keys?p=a', 'https://[::1]/'])(
    'refuses a JWKS URL whose host may not be called: %s',
    async (jwks_url) => {
      await using world = await startPlaces();
      const answer = await put(world, { settings: { jwt: { ...jwt, jwks_url } } });
      expect([answer.status, ...toPointers(answer)]).toEqual([400, '/settings/jwt/jwks_url']);
      expect(String(toError(answer).message)).toContain('This host cannot be called: ');
      expect((await put(world, { settings: { jwt: { ...jwt, jwks_url: 'https://a.example/keys?p=a' } } })).status).toBe(
        200,
      );
    },
  );

  it.each([
    [{ settings: { limits: 1 } }, '/settings/limits'],
    [{ settings: { jwt: { issuer: 'a\u0000' } } }, '/settings/jwt/issuer'],
    [{ id: 'x' }, '/id'],
  ])('cannot be changed with %o', async (json, pointer) => {
    await using world = await startPlaces();
    const answer = await put(world, json);
    expect([answer.status, ...toPointers(answer)]).toEqual([400, pointer]);
  });

  it('refuses settings that give tokens a scope that the caller lacks', async () => {
    await using world = await startPlaces();
    const { key } = await world.make({ kind: 'organisation', scopes: ['organisation.update', 'completions.write'] });
    expect((await put(world, { settings: { jwt } }, key)).status).toBe(200);
    const more = { ...jwt, claims: { scopes: 'scope' }, scope_map: { admin: ['keys.create', 'completions.write'] } };
    const answer = await put(world, { settings: { jwt: more } }, key);
    expect([answer.status, toError(answer).message]).toEqual([403, expect.stringContaining('the scope keys.create,')]);
    expect(toError(answer).errors).toHaveLength(1);
    expect((await put(world, { settings: { jwt: more } })).status).toBe(200);
    expect((await put(world, { name: 'Acme' }, key)).status).toBe(200);
  });

  it.each([
    ['gateway', 409],
    [['billing', 'mail'], 409],
    ['billing', 200],
  ])('with the issuer of another one, whose audience is %o, gets the status %i', async (audience, status) => {
    await using world = await startPlaces();
    await addOrganisation(world, { metadata: { jwt: 'a' } });
    await addOrganisation(world, { jwt: { ...jwt, audience } as Json });
    expect((await put(world, { settings: { jwt } })).status).toBe(status);
    expect((await put(world, { settings: { jwt: { ...jwt, issuer: 'https://b.example/' } } })).status).toBe(200);
  });

  it('cannot be changed with a workspace key, nor seen with a key of the gateway file', async () => {
    await using world = await startPlaces();
    const { key } = await world.make({ scopes: scopes.filter((scope) => scope.startsWith('organisation.')) });
    expect((await world.as(key)('/organisation')).status).toBe(200);
    const answer = await put(world, { name: 'Mine' }, key);
    expect([answer.status, toError(answer).code]).toEqual([403, 'AB03']);
    expect((await world.as(fileKey)('/organisation')).status).toBe(403);
  });
});
