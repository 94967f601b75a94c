import { describe, expect, it } from 'vitest';
import { nothingSaved } from '../../../../../schema/config/saved.ts';
import { startTime } from '../../support/key-world.ts';
import { addConfig, addPrompt, providerWorld, readKey, toPlaces } from './support.ts';

const openai = { name: 'Main', slug: 'main', provider: 'openai', credential: { api_key: 'sk-secret-1' } };
const mask = 'gw-sealed:/credential/api_key';

describe('a provider with a credential of its own', () => {
  it('is created, read without its secret, listed, changed and deleted', async () => {
    await using world = await providerWorld();
    const made = await world.ask('/providers', { json: { ...openai, note: 'ours', expires_at: 1_800_000_000 } });
    expect(made).toEqual({ status: 200, body: { success: true, data: { id: expect.any(String), slug: 'main' } } });
    const read = await world.ask('/providers/main');
    expect(read).toEqual({
      status: 200,
      body: {
        object: 'provider',
        id: made.body.data.id,
        slug: 'main',
        name: 'Main',
        workspace_id: world.admin.tenant,
        integration_id: null,
        provider: 'openai',
        settings: {},
        credential: { api_key: mask },
        note: 'ours',
        status: 'active',
        rate_limits: [],
        usage_limits: null,
        expires_at: 1_800_000_000,
        created_at: startTime / 1000,
        last_updated_at: startTime / 1000,
      },
    });
    expect(await world.ask('/providers')).toMatchObject({
      status: 200,
      body: { object: 'list', total: 1, data: [read.body] },
    });
    const changed = { name: 'Other', note: null, expires_at: null };
    expect((await world.ask('/providers/main', { method: 'PUT', json: changed })).status).toBe(200);
    expect((await world.ask('/providers/main')).body).toMatchObject({ ...changed, credential: { api_key: mask } });
    expect(await world.ask('/providers/main', { method: 'DELETE' })).toEqual({ status: 200, body: {} });
    expect(await world.ask('/providers/main')).toMatchObject({ status: 404, body: { error: { code: 'AB08' } } });
  });

  it('gets a slug from its name, and is listed in pages, newest first', async () => {
    await using world = await providerWorld();
    for (const name of ['One & only', 'Two', 'Three'])
      await world.ask('/providers', { json: { ...openai, name, slug: undefined } });
    const { body } = await world.ask('/providers?page_size=2&current_page=1');
    expect(body).toMatchObject({ total: 3, data: [{ name: 'One & only' }] });
    expect(body.data[0].slug).toMatch(/^one-only-[0-9a-f]{6}$/);
  });

  it('stores no secret in clear text', async () => {
    await using world = await providerWorld();
    await world.ask('/providers', { json: openai });
    const row = await world.store.db.selectFrom('providers').selectAll().executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain('sk-secret-1');
    expect(JSON.parse(row.credential ?? '')).toMatchObject({ api_key: { v: 1, box: expect.any(String) } });
    expect(JSON.parse(row.origins)).toEqual(['https://api.openai.com']);
  });

  it('increments the version of the plans feed with each change', async () => {
    await using world = await providerWorld();
    const version = async () => (await world.store.versions()).plans;
    const before = await version();
    await world.ask('/providers', { json: openai });
    expect(await version()).toBe(before + 1);
    await world.ask('/providers/main', { method: 'PUT', json: { name: 'x' } });
    expect(await version()).toBe(before + 2);
    await world.ask('/providers/main', { method: 'DELETE' });
    expect(await version()).toBe(before + 3);
  });
});

describe('the problems of a provider', () => {
  it.each(['custom_host', 'unknown_ids', 'api_version'])(
    'include a setting outside "settings", with a hint to its place: %s',
    async (name) => {
      await using world = await providerWorld();
      const answer = await world.ask('/providers', { json: { ...openai, [name]: 'x' } });
      expect(answer.body.error.errors).toEqual([
        {
          pointer: `/${name}`,
          message: `There is no member "${name}".`,
          hint: `Write it as settings.${name}.`,
          code: 'unknown-key',
        },
      ]);
    },
  );

  it.each([
    ['an unknown provider', { provider: 'opneai' }, ['/provider']],
    ['no provider', { provider: undefined, credential: undefined }, ['']],
    ['a setting that the provider does not have', { settings: { resource_name: 'x' } }, ['/settings/resource_name']],
    ['a secret among the settings', { settings: { api_key: 'x' } }, ['/settings/api_key']],
    [
      'settings of the wrong type',
      { settings: { llmv_project: 5, custom_host: 5 } },
      ['/settings/custom_host', '/settings/llmv_project'],
    ],
    ['no credential', { credential: undefined }, ['/credential']],
    ['an empty credential', { credential: { api_key: ' ' } }, ['/credential/api_key']],
    ['a credential of another provider', { credential: { api_kee: 'x' } }, ['/credential/api_kee']],
    ['a reference in a credential', { credential: { api_key: `\${env:OPENAI_API_KEY}` } }, ['/credential/api_key']],
    ['a reference in a setting', { settings: { llmv_project: `\${file:/etc/passwd}` } }, ['/settings/llmv_project']],
    ['a space before a key', { credential: { api_key: ' sk' } }, ['/credential/api_key']],
    ['a key in quotes', { credential: { api_key: '"sk"' } }, ['/credential/api_key']],
    ['a line break in a key', { credential: { api_key: 'sk\n' } }, ['/credential/api_key']],
    ['a placeholder', { credential: { api_key: mask } }, ['/credential/api_key']],
    ['a private host', { settings: { custom_host: 'http://127.0.0.1:8080/v1' } }, ['/settings/custom_host']],
    ['a host that is not a URL', { settings: { custom_host: 'openai' } }, ['/settings/custom_host']],
    ['the character U+0000', { note: 'a\u0000b' }, ['/note']],
    ['an expiry in the past', { expires_at: 5 }, ['/expires_at']],
    ['two credentials', { key: 'y' }, ['/key']],
    [
      'the managed identity of the machine',
      {
        provider: 'azure-openai',
        settings: { resource_name: 'r', clouda_auth_mode: 'managed' },
        credential: undefined,
      },
      ['/settings'],
    ],
    ['a missing setting', { provider: 'azure-openai' }, ['/settings']],
    [
      'an invalid setting',
      { provider: 'azure-openai', settings: { resource_name: 'a.b' } },
      ['/settings/resource_name'],
    ],
    [
      'several problems',
      { settings: { x: 1 }, credential: { y: 'z' }, note: '\u0000', expires_at: 5 },
      ['/expires_at', '/note', '/settings/x', '/credential/y'],
    ],
  ])('are all reported at once: %s', async (_, change, places) => {
    await using world = await providerWorld();
    const answer = await world.ask('/providers', { json: { ...openai, ...change } });
    expect(toPlaces(answer)).toEqual(['400', ...places]);
    expect(JSON.stringify(answer.body)).not.toContain('sk-secret');
    for (const { message, hint } of answer.body.error.errors) {
      expect(message).toMatch(/[.!?]$/);
      expect(hint).not.toBe('');
    }
  });

  it('include unknown members and malformed slugs, which the schema refuses', async () => {
    await using world = await providerWorld();
    expect(toPlaces(await world.ask('/providers', { json: { ...openai, slug: 'a b', x: 1 } }))).toEqual([
      '400',
      '/x',
      '/slug',
    ]);
  });
});

describe('a stored credential', () => {
  const elsewhere = { custom_host: 'https://elsewhere.example.com/v1' };

  it.each([
    ['host', { settings: elsewhere }],
    ['provider', { provider: 'groq' }],
  ])('is kept only for its own destination: another %s requires it again', async (_, change) => {
    await using world = await providerWorld();
    await world.ask('/providers', { json: openai });
    const put = (json: object) => world.ask('/providers/main', { method: 'PUT', json });
    expect(toPlaces(await put(change))).toEqual(['400', '/credential']);
    expect(toPlaces(await put({ ...change, credential: { api_key: mask } }))).toEqual(['400', '/credential/api_key']);
    expect(toPlaces(await put({ ...change, key: mask }))).toEqual(['400', '/key']);
    expect((await put({ ...change, credential: { api_key: 'sk-secret-2' } })).status).toBe(200);
    expect((await put({ name: 'x', credential: { api_key: mask } })).status).toBe(200);
  });

  it('must be sent again if a setting that decides the host changes', async () => {
    await using world = await providerWorld();
    const settings = { resource_name: 'ours', api_version: '2024-10-21' };
    await world.ask('/providers', { json: { ...openai, provider: 'azure-openai', settings } });
    const put = (change: object) =>
      world.ask('/providers/main', { method: 'PUT', json: { settings: { ...settings, ...change } } });
    expect((await put({ api_version: '2025-01-01' })).status).toBe(200);
    expect(toPlaces(await put({ resource_name: 'theirs' }))).toEqual(['400', '/credential']);
  });

  it('loses the members that the credential of a change omits', async () => {
    await using world = await providerWorld();
    const credential = { cloudc_access_key_id: 'AKIA', cloudc_secret_access_key: 's', cloudc_session_token: 't' };
    await world.ask('/providers', {
      json: { ...openai, provider: 'bedrock', settings: { cloudc_region: 'us-east-1' }, credential },
    });
    const { body } = await world.ask('/providers/main');
    const { cloudc_session_token: _, ...kept } = body.credential;
    expect((await world.ask('/providers/main', { method: 'PUT', json: { credential: kept } })).status).toBe(200);
    expect((await world.ask('/providers/main')).body.credential).toEqual(kept);
  });
});

describe('the slug of a provider', () => {
  it('is unique in its workspace and differs from those of the gateway file', async () => {
    await using world = await providerWorld({ ...nothingSaved, providers: { taken: { provider: 'openai' } } });
    expect((await world.ask('/providers', { json: openai })).status).toBe(200);
    for (const [path, slug] of [
      ['/providers', 'main'],
      ['/virtual-keys', 'main'],
      ['/providers', 'taken'],
    ] as const)
      expect(await world.ask(path, { json: { ...openai, slug } })).toMatchObject({
        status: 409,
        body: { error: { code: 'AB07', message: expect.stringContaining(`"${slug}"`) } },
      });
    expect((await world.ask('/virtual-keys', { json: { ...openai, slug: 'taken' } })).status).toBe(200);
  });

  it('gets the same 404 in another workspace as an unknown slug', async () => {
    await using world = await providerWorld();
    const other = await world.addWorkspace('other');
    const key = await readKey(world, other);
    await world.ask('/providers', { json: openai });
    for (const asked of [{}, { method: 'DELETE' }, { method: 'PUT', json: { name: 'x' } }]) {
      const theirs = await world.ask('/providers/main', { ...asked, key });
      const nobodys = await world.ask('/providers/nothing', { ...asked, key });
      expect(theirs.status).toBe(404);
      expect(JSON.stringify(theirs.body).replaceAll('main', 'nothing')).toBe(JSON.stringify(nobodys.body));
    }
    expect((await world.ask('/providers', { key })).body.total).toBe(0);
    expect((await world.ask('/providers', { key, json: openai })).status).toBe(200);
  });
});

describe('deleting a provider', () => {
  it.each([
    ['provider', { provider: '@main' }],
    ['model', { strategy: { mode: 'fallback' }, targets: [{ override_params: { model: '@main/gpt-5' } }] }],
  ])('is refused while the %s of a config names it', async (_, config) => {
    await using world = await providerWorld();
    await world.ask('/providers', { json: openai });
    await addConfig(world, world.admin.tenant, 'pc-ours', config);
    expect(await world.ask('/providers/main', { method: 'DELETE' })).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('"pc-ours"') } },
    });
  });

  it('is refused while a prompt names it', async () => {
    await using world = await providerWorld();
    await world.ask('/providers', { json: openai });
    await world.ask('/providers', { json: { ...openai, slug: 'mai_' } });
    await addPrompt(world, world.admin.tenant, { slug: 'greeting', virtualKey: '@main' });
    expect(await world.ask('/providers/main', { method: 'DELETE' })).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('"main" is named by the prompt "greeting"') } },
    });
    expect((await world.ask('/providers/mai_', { method: 'DELETE' })).status).toBe(200);
  });

  it('is allowed if configs name only others, or are of another workspace', async () => {
    await using world = await providerWorld();
    await world.ask('/providers', { json: openai });
    await addConfig(world, world.admin.tenant, 'c', { provider: '@main2', virtual_key: 'main', name: 'main' });
    await addConfig(world, await world.addWorkspace('other'), 'c', { provider: '@main' });
    expect((await world.ask('/providers/main', { method: 'DELETE' })).status).toBe(200);
  });
});

it('each resource requires its own scopes', async () => {
  await using world = await providerWorld();
  const key = await readKey(world, world.admin.tenant, ['providers.list', 'virtual_keys.create']);
  expect((await world.ask('/providers', { key })).status).toBe(200);
  for (const [path, json] of [
    ['/providers', openai],
    ['/integrations', openai],
    ['/virtual-keys', undefined],
    ['/providers/main', undefined],
  ] as const)
    expect((await world.ask(path, { key, json })).status).toBe(403);
});

it('concurrent changes are all applied', async () => {
  await using world = await providerWorld();
  await world.ask('/providers', { json: openai });
  const put = (json: object) => world.ask('/providers/main', { method: 'PUT', json });
  const answers = await Promise.all([put({ name: 'A' }), put({ note: 'B' }), put({ key: 'sk-secret-3' })]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await world.ask('/providers/main')).body).toMatchObject({ name: 'A', note: 'B' });
});

it('the error for an integration that does not exist quotes at most 100 characters of its name', async () => {
  await using world = await providerWorld();
  const { status, body } = await world.ask('/providers', { json: { name: 'A', integration_id: 'x'.repeat(5000) } });
  expect([status, body.error.param]).toEqual([400, 'integration_id']);
  expect(body.error.message).toContain(`There is no integration "${'x'.repeat(100)}" that`);
});
