import { expect, it } from 'vitest';
import { startTime } from '../../support/key-world.ts';
import { providerWorld, readKey, toPlaces } from '../providers/support.ts';

const shared = { name: 'Shared', slug: 'shared', provider: 'openai', key: 'sk-secret-1' };
const mask = 'gw-sealed:/credential/api_key';

it('an integration is created, read without its secret, listed, changed and deleted', async () => {
  await using world = await providerWorld();
  const made = await world.ask('/integrations', { json: shared });
  expect(made).toMatchObject({ status: 200, body: { success: true, data: { slug: 'shared' } } });
  const read = await world.ask('/integrations/shared');
  expect(read.body).toEqual({
    object: 'integration',
    id: made.body.data.id,
    slug: 'shared',
    name: 'Shared',
    organisation_id: world.admin.organisation,
    provider: 'openai',
    settings: {},
    credential: { api_key: mask },
    allow_all_models: true,
    workspaces: null,
    workspace_limits: [],
    created_at: startTime / 1000,
    last_updated_at: startTime / 1000,
  });
  expect((await world.ask('/integrations')).body).toEqual({ object: 'list', total: 1, data: [read.body] });
  expect((await world.ask('/integrations', { json: shared })).status).toBe(409);
  const put = (json: object) => world.ask('/integrations/shared', { method: 'PUT', json });
  expect((await put({ name: 'Ours' })).status).toBe(200);
  expect(toPlaces(await put({ settings: { custom_host: 'https://a.example.com' } }))).toEqual(['400', '/credential']);
  expect((await world.ask('/integrations/shared')).body).toMatchObject({ name: 'Ours', settings: {} });
  expect(await world.ask('/integrations/shared', { method: 'DELETE' })).toEqual({ status: 200, body: {} });
  expect((await world.ask('/integrations/shared')).status).toBe(404);
});

it('the providers of an integration use its credential and prevent its deletion', async () => {
  await using world = await providerWorld();
  const { body } = await world.ask('/integrations', { json: shared });
  const { id } = body.data;
  expect((await world.ask('/providers', { json: { name: 'A', slug: 'a', integration_id: id } })).status).toBe(200);
  expect((await world.ask('/providers', { json: { name: 'B', slug: 'b', integration_id: 'shared' } })).status).toBe(
    200,
  );
  const a = { integration_id: id, provider: 'openai', settings: {}, credential: {} };
  expect((await world.ask('/providers/a')).body).toMatchObject(a);
  expect(toPlaces(await world.ask('/providers/a', { method: 'PUT', json: { key: 'x', settings: {} } }))).toEqual([
    '400',
    '/settings',
    '/key',
  ]);
  expect(
    toPlaces(await world.ask('/providers', { json: { name: 'C', integration_id: 'nothing', provider: 'openai' } })),
  ).toEqual(['400', '/integration_id', '/provider']);
  expect(await world.ask('/integrations/shared', { method: 'DELETE' })).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('has 2 providers') } },
  });
  await world.ask('/integrations/shared', { method: 'PUT', json: { provider: 'groq', key: 'gsk' } });
  expect((await world.ask('/providers/a')).body.provider).toBe('groq');
  for (const slug of ['a', 'b']) expect((await world.ask(`/providers/${slug}`, { method: 'DELETE' })).status).toBe(200);
  expect((await world.ask('/integrations/shared', { method: 'DELETE' })).status).toBe(200);
});

it('only the workspaces that an integration names may use it', async () => {
  await using world = await providerWorld();
  const other = await world.addWorkspace('other');
  const key = await readKey(world, other);
  expect(toPlaces(await world.ask('/integrations', { json: { ...shared, workspaces: ['default', 'none'] } }))).toEqual([
    '400',
    '/workspaces/1',
  ]);
  await world.ask('/integrations', { json: { ...shared, workspaces: ['default'] } });
  expect((await world.ask('/integrations/shared')).body.workspaces).toEqual([world.admin.tenant]);
  const provider = { name: 'A', slug: 'a', integration_id: 'shared' };
  expect(toPlaces(await world.ask('/providers', { key, json: provider }))).toEqual(['400', '/integration_id']);
  await world.ask('/integrations/shared', { method: 'PUT', json: { workspaces: null } });
  expect((await world.ask('/providers', { key, json: provider })).status).toBe(200);
});

it('a workspace key sees only the integrations that its workspace may use, and cannot change any', async () => {
  await using world = await providerWorld();
  const other = await world.addWorkspace('other');
  const key = await readKey(world, other);
  await world.ask('/integrations', { json: { ...shared, slug: 'not-theirs', workspaces: ['default'] } });
  await world.ask('/integrations', { json: { ...shared, workspaces: ['default', 'other'] } });
  const read = await world.ask('/integrations/shared', { key });
  expect(read).toMatchObject({ status: 200, body: { slug: 'shared', workspaces: [other] } });
  expect((await world.ask('/integrations', { key })).body).toEqual({ object: 'list', total: 1, data: [read.body] });
  for (const path of ['/integrations/not-theirs', '/integrations/not-theirs/models'])
    expect((await world.ask(path, { key })).status).toBe(404);
  const put = { method: 'PUT', json: { workspaces: null } };
  for (const [path, asking] of [
    ['/integrations', { json: { ...shared, slug: 'mine' } }],
    ['/integrations/shared', put],
    ['/integrations/not-theirs', put],
    ['/integrations/none', put],
    ['/integrations/shared/models', { method: 'PUT', json: { models: [] } }],
    ['/integrations/shared', { method: 'DELETE' }],
  ] as const)
    expect((await world.ask(path, { key, ...asking })).status).toBe(403);
});

it('an integration of another organisation is not found', async () => {
  await using world = await providerWorld();
  const organisation_id = '00000000-0000-7000-8000-000000000000';
  await world.addWorkspace('theirs', organisation_id);
  await world.ask('/integrations', { json: shared });
  await world.store.write((writing) => writing.updateTable('integrations').set({ organisation_id }).execute());
  expect((await world.ask('/integrations/shared')).status).toBe(404);
  expect((await world.ask('/integrations')).body.total).toBe(0);
  expect(toPlaces(await world.ask('/providers', { json: { name: 'A', integration_id: 'shared' } }))).toEqual([
    '400',
    '/integration_id',
  ]);
});

it('the models of an integration are listed and replaced', async () => {
  await using world = await providerWorld();
  const models = [
    { slug: 'gpt-5', enabled: true },
    {
      slug: 'ft:gpt',
      enabled: false,
      is_finetune: true,
      base_model_slug: 'gpt-5',
      pricing_config: { pay_as_you_go: { request_token: { price: 0.00025 } } },
    },
  ];
  await world.ask('/integrations', { json: { ...shared, models } });
  expect(await world.ask('/integrations/shared/models')).toEqual({
    status: 200,
    body: { models, allow_all_models: false },
  });
  const put = (json: object) => world.ask('/integrations/shared/models', { method: 'PUT', json });
  expect(await put({ models: models.slice(0, 1), allow_all_models: true })).toEqual({
    status: 200,
    body: { models: models.slice(0, 1), allow_all_models: true },
  });
  expect((await put({ models: [] })).body).toEqual({ models: [], allow_all_models: true });
  expect(toPlaces(await put({ models: [...models, ...models] }))).toEqual(['400', '/models/2/slug', '/models/3/slug']);
  expect((await world.ask('/integrations/none/models')).status).toBe(404);
});
