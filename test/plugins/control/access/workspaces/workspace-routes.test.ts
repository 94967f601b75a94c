import { describe, expect, it, onTestFinished } from 'vitest';
import { createControlIdentities } from '../../../../../plugins/control/access/identity/identities.ts';
import { scopes } from '../../../../../plugins/control/kernel/requests/scopes.ts';
import { newId } from '../../../../../plugins/control/kernel/store/new-id.ts';
import type { Store } from '../../../../../plugins/control/kernel/store/store.ts';
import { resources } from '../../../../../plugins/control/resources.ts';
import { systemClock } from '../../../../../runtime/in-memory/system-clock.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { type PlaceWorld, startPlaces } from '../../support/place-world.ts';
import { toNewBody } from '../../support/resource-bodies.ts';
import { saveGuardrail } from '../../support/save-guardrail.ts';
import { toError, toPointers } from '../../support/served-control.ts';

const research = { name: 'Research', slug: 'research' };

const create = (world: PlaceWorld, json: object = research) => world.as(world.admin)('/workspaces', { json });

/** Saves a config in a workspace. */
const saveConfig = (store: Store, workspace: string, slug: string): Promise<void> =>
  store.write(async (writing) => {
    const times = { created_at: 1, updated_at: 1 };
    await writing
      .insertInto('configs')
      .values({ id: newId(1), workspace_id: workspace, slug, name: slug, is_default: 0, version_id: 'v', ...times })
      .execute();
  });

describe('a workspace', () => {
  it('is created, read by id and slug, listed and changed', async () => {
    await using world = await startPlaces();
    const ask = world.as(world.admin);
    const made = await create(world);
    expect(made).toEqual({ status: 200, body: { object: 'workspace', id: expect.any(String), slug: 'research' } });
    const view = {
      ...{ object: 'workspace', ...made.body, name: 'Research', settings: {} },
      ...{ rate_limits: [], usage_limits: null },
      ...{ organisation_id: expect.any(String), created_at: expect.any(Number), last_updated_at: expect.any(Number) },
    };
    expect(await ask('/workspaces/research')).toEqual({ status: 200, body: view });
    expect((await ask(`/workspaces/${made.body.id}`)).body).toEqual(view);
    expect(Math.abs(Number((await ask('/workspaces/research')).body.created_at) - Date.now() / 1000)).toBeLessThan(60);
    expect((await ask('/workspaces?page_size=1')).body).toEqual({ object: 'list', total: 2, data: [view] });
    const changed = await ask('/workspaces/research', { method: 'PUT', json: { name: 'R&D' } });
    expect(changed.body).toMatchObject({ name: 'R&D', slug: 'research' });
    expect((await ask('/workspaces/research')).body.name).toBe('R&D');
  });

  it('gets a slug from its name if none is given, and cannot have one that is taken', async () => {
    await using world = await startPlaces();
    expect((await create(world, { name: 'Research & Things' })).body.slug).toMatch(/^research-things-[0-9a-f]{6}$/);
    expect((await create(world)).status).toBe(200);
    for (const slug of ['research', 'default']) {
      const answer = await create(world, { name: 'Again', slug });
      expect([answer.status, toError(answer).message]).toEqual([
        409,
        expect.stringContaining(`already has a workspace "${slug}"`),
      ]);
    }
  });

  it('is created once if a request is repeated with the same idempotency-key', async () => {
    await using world = await startPlaces();
    const headers = { 'idempotency-key': 'one' };
    const ask = () => world.as(world.admin)('/workspaces', { json: { name: 'Twice' }, headers });
    expect(await ask()).toEqual(await ask());
    expect((await world.as(world.admin)('/workspaces')).body.total).toBe(2);
  });

  it('keeps the settings that a change omits, and loses those that are null', async () => {
    await using world = await startPlaces();
    const { body } = await create(world, { ...research, settings: { metadata: { team: 'a' }, config: 'shared' } });
    await saveConfig(world.store, String(body.id), 'own');
    const put = async (settings: object) =>
      (await world.as(world.admin)('/workspaces/research', { method: 'PUT', json: { settings } })).body.settings;
    expect(await put({ config: 'own' })).toEqual({ metadata: { team: 'a' }, config: 'own' });
    expect(await put({ metadata: null })).toEqual({ config: 'own' });
  });

  it('cannot have settings that name configs or guardrails that it does not have', async () => {
    await using world = await startPlaces();
    const { body } = await create(world);
    await saveConfig(world.store, String(body.id), 'of-research');
    const { store, organisation } = world;
    await saveGuardrail(store, { organisation, workspace: String(body.id), slug: 'of-research' });
    await saveGuardrail(store, { organisation, workspace: null, slug: 'of-all' });
    const put = async (name: string) =>
      toPointers(
        await world.as(world.admin)(`/workspaces/${name}`, {
          method: 'PUT',
          json: {
            settings: {
              ...{ metadata: { long: 'x'.repeat(129) }, config: 'of-research' },
              ...{ input_guardrails: ['of-all', 'of-research'], output_guardrails: ['nothing'] },
            },
          },
        }),
      );
    expect(await put('research')).toEqual(['/settings/metadata/long', '/settings/output_guardrails/0']);
    expect(await put('default')).toEqual([
      ...['/settings/metadata/long', '/settings/config', '/settings/input_guardrails/1'],
      '/settings/output_guardrails/0',
    ]);
  });

  it('can have guardrails of its own, its organisation and the gateway file as defaults if they can run there', async () => {
    const filed = { 'default.contains': { operator: 'none', words: ['fig'] } };
    await using world = await startPlaces({ guardrails: { filed } });
    const { store, organisation } = world;
    const { body } = await create(world);
    await saveGuardrail(store, { organisation, workspace: String(body.id), slug: 'own' });
    const common = await saveGuardrail(store, { organisation, workspace: null, slug: 'common' });
    const checks = [{ id: 'default.jsonKeys', parameters: { keys: ['a'], operator: 'all' } }];
    await saveGuardrail(store, { organisation, workspace: null, slug: 'of-answers', checks });
    await saveGuardrail(store, { organisation, workspace: null, slug: 'gone', checks: [{ id: 'acme.gone' }] });
    const put = (settings: object) =>
      world.as(world.admin)('/workspaces/research', { method: 'PUT', json: { settings } });
    const right = { input_guardrails: ['own', common, 'filed'], output_guardrails: ['of-answers', 'common'] };
    expect((await put(right)).body.settings).toEqual(right);
    const wrong = { input_guardrails: ['own', 'none', 'of-answers'], output_guardrails: ['of-answers', 'gone'] };
    const answer = await put(wrong);
    expect([answer.status, ...toPointers(answer)].sort()).toEqual([
      ...['/settings/input_guardrails/1', '/settings/input_guardrails/2', '/settings/output_guardrails/1', 400],
    ]);
    expect(JSON.stringify(answer.body)).toContain('The guardrail \\"gone\\" cannot run by default here: ');
    expect(toPointers(await create(world, { name: 'b', settings: wrong }))).toHaveLength(4);
    expect((await world.as(world.admin)('/workspaces/research')).body.settings).toEqual(right);
    expect((await put({ input_guardrails: null, output_guardrails: [] })).body.settings).toEqual({
      output_guardrails: [],
    });
  });

  it.each([
    [{ name: '' }, '/name'],
    [{ name: 'a', slug: 'not a slug' }, '/slug'],
    [{ name: 'a\u0000' }, '/name'],
    [{ name: 'a', settings: { jwt: {} } }, '/settings/jwt'],
  ])('is refused with %o', async (json, pointer) => {
    await using world = await startPlaces();
    const answer = await create(world, json);
    expect([answer.status, ...toPointers(answer)]).toEqual([400, pointer]);
  });
});

describe('deleting a workspace', () => {
  const remove = (world: PlaceWorld, name: string) =>
    world.as(world.admin)(`/workspaces/${name}`, { method: 'DELETE' });

  it('is refused while it has keys or saved resources, with the number of each', async () => {
    await using world = await startPlaces();
    const { body } = await create(world);
    const { id } = await world.make({ workspace_id: 'research' });
    await world.make({ workspace_id: 'research' });
    await saveConfig(world.store, String(body.id), 'one');
    const answer = await remove(world, 'research');
    expect([answer.status, toError(answer).message]).toEqual([
      409,
      expect.stringContaining('The workspace "research" is not empty. It has 2 service keys, 1 config.'),
    ]);
    expect((await world.as(world.admin)(`/api-keys/${id}`)).body.status).toBe('active');
  });

  const inside = resources
    .filter(({ owner }) => owner !== 'organisation')
    .map((resource) => [resource.noun, resource] as const);

  it.each(inside)('is refused while it has a %s', async (noun, resource) => {
    await using world = await startPlaces();
    await create(world);
    const { key } = await world.make({ workspace_id: 'research', scopes });
    const made = await world.as(key)(resource.path, { json: toNewBody(resource) });
    expect(made).toMatchObject({ status: 200 });
    const answer = await remove(world, 'research');
    const counted = noun === 'virtual key' ? 'provider' : noun;
    expect([answer.status, toError(answer).message]).toEqual([
      409,
      expect.stringContaining(`It has 1 service key, 1 ${counted}.`),
    ]);
  });

  it('also deletes its revoked keys and frees its slug', async () => {
    await using world = await startPlaces();
    await create(world);
    const { id, key } = await world.make({ workspace_id: 'research' });
    await world.as(world.admin)(`/api-keys/${id}`, { method: 'DELETE' });
    expect(await remove(world, 'research')).toEqual({ status: 200, body: {} });
    expect((await world.as(world.admin)('/workspaces/research')).status).toBe(404);
    expect((await world.as(world.admin)(`/api-keys/${id}`)).status).toBe(404);
    await expect.poll(() => world.gateway.chat(key), { interval: 20 }).toBe(401);
    expect((await create(world)).status).toBe(200);
  });

  it('also removes it from the integrations that list or limit it', async () => {
    await using world = await startPlaces();
    const ask = world.as(world.admin);
    for (const name of ['other', 'research']) await create(world, { name, slug: name });
    const other = String((await ask('/workspaces/other')).body.id);
    const save = async (json: object, which: string) =>
      expect(
        (await ask('/integrations', { json: { name: which, slug: which, provider: 'echo', ...json } })).status,
      ).toBe(200);
    const rate_limits = [{ type: 'requests', unit: 'rpm', value: 5 }];
    const limit = (workspace_id: string) => ({ workspace_id, rate_limits });
    await save({ workspaces: ['research'], workspace_limits: [limit('research')] }, 'one');
    await save({ workspaces: ['other', 'research'], workspace_limits: ['other', 'research'].map(limit) }, 'both');
    await save({ workspaces: null }, 'all');
    expect(await remove(world, 'research')).toEqual({ status: 200, body: {} });
    const read = async (which: string) => {
      const { workspaces, workspace_limits } = (await ask(`/integrations/${which}`)).body;
      return { workspaces, workspace_limits };
    };
    expect(await read('one')).toEqual({ workspaces: [], workspace_limits: [] });
    expect(await read('both')).toEqual({
      workspaces: [other],
      workspace_limits: [{ ...limit(other), usage_limits: null }],
    });
    expect(await read('all')).toEqual({ workspaces: null, workspace_limits: [] });
    for (const which of ['one', 'both', 'all'])
      expect((await ask(`/integrations/${which}`, { method: 'PUT', json: await read(which) })).status).toBe(200);
  });

  it('is possible while an integration cannot be read', async () => {
    await using world = await startPlaces();
    const id = String((await create(world)).body.id);
    const json = { name: 'one', slug: 'one', provider: 'echo', workspaces: ['research'] };
    expect((await world.as(world.admin)('/integrations', { json })).status).toBe(200);
    await world.store.write(async (writing) => {
      await writing
        .updateTable('integrations')
        .set({ workspaces: `["${id}"`, workspace_limits: `"${id}"` })
        .execute();
    });
    expect(await remove(world, 'research')).toEqual({ status: 200, body: {} });
  });

  it('revokes its keys in a process that had not seen their revocation before the deletion', async () => {
    await using world = await startPlaces();
    await create(world);
    const { id, key } = await world.make({ workspace_id: 'research' });
    const { store } = world;
    const identities = createControlIdentities({
      store: { db: store.db, versions: () => store.versions(), watch: () => () => undefined },
      clock: systemClock,
      http: { send: () => Promise.reject(new Error('No token is sent.')) },
      pollMs: 3_600_000,
    });
    onTestFinished(() => identities.close());
    const revoked: string[] = [];
    identities.onRevoked((ids) => revoked.push(...ids));
    await identities.start();
    expect(identities.identify(key)).toMatchObject({ keyId: id });
    await world.as(world.admin)(`/api-keys/${id}`, { method: 'DELETE' });
    expect(await remove(world, 'research')).toEqual({ status: 200, body: {} });
    await identities.lookNow();
    expect([await identities.identify(key), revoked]).toEqual([undefined, [id]]);
  });

  it('is refused for the workspace "default"', async () => {
    await using world = await startPlaces();
    expect((await remove(world, 'default')).status).toBe(409);
    const { body } = await world.as(world.admin)('/workspaces/default');
    expect((await remove(world, String(body.id))).status).toBe(409);
  });
});

describe('a key of one workspace', () => {
  const all = ['workspaces.create', 'workspaces.list', 'workspaces.read', 'workspaces.update', 'workspaces.delete'];

  it('sees only its own workspace, and gets the same 404 for another one as for an unknown one', async () => {
    await using world = await startPlaces();
    const { body } = await create(world);
    const ask = world.as((await world.make({ scopes: all })).key);
    expect((await ask('/workspaces')).body).toMatchObject({ total: 1, data: [{ slug: 'default' }] });
    const askAbout = async (name: string, method: string, json?: JsonObject) =>
      JSON.stringify(await ask(`/workspaces/${name}`, { method, ...(json && { json }) })).replaceAll(name, 'NAME');
    for (const [method, json] of [['GET'], ['PUT', {}]] as const)
      for (const name of ['research', String(body.id)]) {
        expect(await askAbout(name, method, json)).toBe(await askAbout('nowhere', method, json));
        expect(await askAbout(name, method, json)).toContain('"status":404');
      }
    expect((await ask('/workspaces/default', { method: 'PUT', json: { name: 'Mine' } })).status).toBe(200);
  });

  it('cannot create or delete workspaces', async () => {
    await using world = await startPlaces();
    await create(world);
    const ask = world.as((await world.make({ scopes: all })).key);
    expect(toError(await ask('/workspaces', { json: { name: 'More' } })).code).toBe('AB03');
    expect((await ask('/workspaces/research', { method: 'DELETE' })).status).toBe(403);
    expect((await ask('/workspaces/nowhere', { method: 'DELETE' })).status).toBe(403);
  });
});
