import { expect, it } from 'vitest';
import { toSavedProviders } from '../../../../../plugins/control/catalog/providers/to-saved-providers.ts';
import type { Catalogue } from '../../../../../plugins/sdk/plugin/catalogue.ts';
import type { ControlWorld } from '../../support/control-world.ts';
import { providerWorld, readKey } from './support.ts';

/** Returns what the workspace `default` can name. */
const savedIn = async ({ store, time, parts, admin }: ControlWorld, catalogue: Catalogue = parts.catalogue) => {
  const providers = await store.db
    .selectFrom('providers')
    .selectAll()
    .where('workspace_id', '=', admin.tenant)
    .orderBy('id')
    .execute();
  const integrations = await store.db.selectFrom('integrations').selectAll().execute();
  return toSavedProviders({ providers, integrations }, { now: time.now, catalogue });
};

const own = { name: 'Main', slug: 'main', provider: 'openai', key: 'sk-own', settings: { llmv_project: 'p' } };

it('providers and virtual keys can be named by slug and by id, with references that can be opened', async () => {
  await using world = await providerWorld();
  const { id } = (await world.ask('/providers', { json: own })).body.data;
  await world.ask('/virtual-keys', { json: { ...own, slug: 'key', key: 'sk-virtual' } });
  const { providers, virtualKeys, secrets } = await savedIn(world);
  const reference = `\${saved:providers/${id}/credential/api_key}`;
  const main = { provider: 'openai', credential: { api_key: reference }, settings: { llmv_project: 'p' } };
  expect(providers).toEqual({ main, [id]: main });
  expect(Object.keys(virtualKeys)).toHaveLength(2);
  const opened = await Promise.all([...secrets.values()].map(({ sealed, at }) => world.parts.sealer.open(sealed, at)));
  expect(opened).toEqual(['sk-own', 'sk-virtual']);
  expect(secrets.has(reference)).toBe(true);
});

it('a provider of an integration has the credential, settings and models of the integration', async () => {
  await using world = await providerWorld();
  const models = [
    { slug: 'gpt-5', enabled: true },
    { slug: 'gpt-4', enabled: false },
  ];
  const integration = { ...own, slug: 'shared', models };
  const { id } = (await world.ask('/integrations', { json: integration })).body.data;
  await world.ask('/providers', { json: { name: 'A', slug: 'a', integration_id: 'shared' } });
  const credential = { api_key: `\${saved:integrations/${id}/credential/api_key}` };
  const { providers, secrets } = await savedIn(world);
  expect(providers.a).toEqual({ provider: 'openai', credential, settings: own.settings, models: { only: ['gpt-5'] } });
  for (const { sealed, at } of secrets.values()) expect(await world.parts.sealer.open(sealed, at)).toBe('sk-own');
  const allow = (json: object) => world.ask('/integrations/shared/models', { method: 'PUT', json });
  await allow({ models, allow_all_models: true });
  expect((await savedIn(world)).providers.a?.models).toEqual({ except: ['gpt-4'] });
  await allow({ models: [] });
  expect((await savedIn(world)).providers.a).not.toHaveProperty('models');
});

it('a provider cannot be named once it has expired or the workspace may no longer use its integration', async () => {
  await using world = await providerWorld();
  await readKey(world, await world.addWorkspace('other'));
  await world.ask('/integrations', { json: { ...own, slug: 'shared' } });
  await world.ask('/providers', { json: { name: 'A', slug: 'a', integration_id: 'shared' } });
  await world.ask('/providers', { json: { ...own, expires_at: world.time.now / 1000 + 10 } });
  const names = async () => Object.keys((await savedIn(world)).providers).filter((name) => name.length < 10);
  const reasons = async () => {
    const { unusable = {} } = await savedIn(world);
    return Object.entries(unusable).flatMap(([name, { why }]) => (name.length < 10 ? [`${name} ${why}`] : []));
  };
  expect(await names()).toEqual(['a', 'main']);
  expect(await savedIn(world)).not.toHaveProperty('unusable');
  world.time.now += 10_000;
  const expired = `main expired at ${new Date(world.time.now).toISOString()}`;
  expect([await names(), await reasons()]).toEqual([['a'], [expired]]);
  await world.ask('/integrations/shared', { method: 'PUT', json: { workspaces: ['other'] } });
  expect([await names(), await reasons()]).toEqual([
    [],
    ['a belongs to an integration that this workspace may not use', expired],
  ]);
});

it('a provider whose address has changed cannot be named, because its credential was saved for the old one', async () => {
  await using world = await providerWorld();
  const { id } = (await world.ask('/providers', { json: own })).body.data;
  const { providers } = world.parts.catalogue;
  const elsewhere = [...providers].map(
    ([name, provider]) => [name, { ...provider, baseUrl: 'https://moved.example.com' }] as const,
  );
  const moved = {
    what: 'saved provider',
    why: 'was saved for another address than its provider has now',
    remedy: 'save its credential again',
  };
  expect(await savedIn(world, { ...world.parts.catalogue, providers: new Map(elsewhere) })).toEqual({
    providers: {},
    virtualKeys: {},
    unusable: { main: moved, [id]: moved },
    secrets: new Map(),
  });
});
