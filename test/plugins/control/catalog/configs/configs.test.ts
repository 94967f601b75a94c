import { expect, it } from 'vitest';
import { savedWorld } from '../../support/saved-world.ts';

const secret = 'sk-very-secret-0123456789';
const openai = { provider: 'openai', api_key: secret };
const sealedKey = 'gw-sealed:/api_key';

it('saves a config in versions, and returns it with placeholders for its secrets', async () => {
  await using world = await savedWorld();
  const made = await world.ask('/configs', { json: { name: 'My Config!', config: openai } });
  expect(made).toMatchObject({ status: 200, body: { success: true, diagnostics: [] } });
  const { id, slug, version_id: first } = made.body.data;
  expect(slug).toMatch(/^pc-my-config-[0-9a-f]{6}$/);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);

  const read = await world.ask(`/configs/${slug}`);
  expect(read).toMatchObject({
    status: 200,
    body: {
      object: 'config',
      id,
      slug,
      version: 1,
      version_id: first,
      config: { provider: 'openai', api_key: sealedKey },
    },
  });
  expect((await world.ask(`/configs/${id}`)).body).toEqual(read.body);
  expect(await world.servedConfig(slug)).toEqual(openai);
  expect(await world.stored()).not.toContain(secret);

  const config = { ...openai, api_key: sealedKey, request_timeout: 5000 };
  const changed = await world.ask(`/configs/${slug}`, { method: 'PUT', json: { config } });
  expect(changed.body.data.version_id).not.toBe(first);
  expect(await world.servedConfig(slug)).toEqual({
    ...openai,
    request_timeout: 5000,
  });
  const versions = await world.ask(`/configs/${slug}/versions`);
  expect(versions.body).toMatchObject({ object: 'list', total: 2, data: [{ version: 2 }, { version: 1, id: first }] });
  expect(JSON.parse(versions.body.data[0].config)).toEqual(config);

  expect(await world.ask(`/configs/${slug}`, { method: 'PUT', json: { name: 'New' } })).toMatchObject({
    body: { data: { version_id: changed.body.data.version_id } },
  });
  expect((await world.ask('/configs?search=NEW')).body).toMatchObject({ total: 1, data: [{ slug }] });
  expect((await world.ask('/configs?is_default=false')).body).toMatchObject({ total: 1, data: [{ slug }] });
  expect((await world.ask('/configs?is_default=true')).body).toMatchObject({ total: 0, data: [] });
  expect((await world.ask('/configs?search=no%20such')).body).toMatchObject({ total: 0, data: [] });
  expect((await world.ask(`/configs?search=${'a'.repeat(257)}`)).status).toBe(400);
  expect((await world.ask('/configs?page_size=1')).body).toMatchObject({ total: 1, data: [{ slug, name: 'New' }] });
  expect(await world.ask(`/configs/${slug}`, { method: 'DELETE' })).toEqual({ status: 200, body: {} });
  expect((await world.ask(`/configs/${slug}`)).status).toBe(404);
  expect(await world.store.db.selectFrom('config_versions').selectAll().execute()).toEqual([]);
});

it('reports every problem of a config with pointer, hint and code, and saves nothing', async () => {
  await using world = await savedWorld();
  const config = { provider: 'openia', api_key: secret, retry: { attempts: 'two' }, input_guardrails: ['nope'] };
  const { status, body } = await world.ask('/configs', { json: { name: 'a', config } });
  expect(status).toBe(400);
  expect(body.error.code).toBe('AB01');
  expect(body.error.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
    '/config/provider',
    '/config/retry/attempts',
    '/config/input_guardrails/0',
  ]);
  for (const each of body.error.errors) {
    expect(each).toEqual({
      pointer: expect.any(String),
      message: expect.stringMatching(/\.$/),
      hint: expect.any(String),
      code: expect.stringMatching(/^[a-z-]+$/),
    });
  }
  expect(JSON.stringify(body)).not.toContain(secret);
  expect((await world.ask('/configs')).body.total).toBe(0);
});

it('reports diagnostics and bounds with dry_run, and saves nothing', async () => {
  await using world = await savedWorld();
  const config = {
    strategy: { mode: 'fallback' },
    request_timeout: 1000,
    targets: [{ provider: 'echo', retry: { attempts: 2 } }, { provider: 'echo' }],
  };
  const tried = await world.ask('/configs?dry_run=true', { json: { name: 'a', config } });
  expect(tried).toMatchObject({ status: 200, body: { diagnostics: [], bounds: { leaves: 2, attempts: 4 } } });
  expect(tried.body.bounds.longest_ms).toBeGreaterThanOrEqual(4000);
  const wrong = await world.ask('/configs?dry_run=true', { json: { name: 'a', config: { provider: 'nobody' } } });
  expect(wrong).toMatchObject({
    status: 200,
    body: { bounds: null, diagnostics: [{ code: 'unknown-provider', severity: 'error', pointer: '/config/provider' }] },
  });
  expect((await world.ask('/configs')).body.total).toBe(0);

  const { slug } = (await world.ask('/configs', { json: { name: 'a', config: openai } })).body.data;
  const again = { config: { ...openai, api_key: sealedKey } };
  expect(await world.ask(`/configs/${slug}?dry_run=true`, { method: 'PUT', json: again })).toMatchObject({
    status: 200,
    body: { diagnostics: [], bounds: { leaves: 1, attempts: 1 } },
  });
  expect((await world.ask(`/configs/${slug}/versions`)).body.total).toBe(1);
});

it('keeps a secret only for the destination that it was saved for', async () => {
  await using world = await savedWorld();
  const config = {
    strategy: { mode: 'fallback' },
    targets: [{ provider: 'openai', api_key: secret }, { provider: 'echo' }],
    input_guardrails: [{ 'acme.ask': { token: 'tok-secret', host: 'a.example' }, deny: true }],
  };
  const { slug } = (await world.ask('/configs', { json: { name: 'a', config } })).body.data;
  const { config: stored } = (await world.ask(`/configs/${slug}`)).body;
  const put = async (changes: object) => {
    const { status, body } = await world.ask(`/configs/${slug}`, {
      method: 'PUT',
      json: { config: { ...stored, ...changes } },
    });
    return [status, ...(body.error?.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)];
  };
  const [target, echo] = stored.targets;
  const [guardrail] = stored.input_guardrails;
  const keyPointer = '/config/targets/0/api_key';
  const toToken = '/config/input_guardrails/0/acme.ask/token';
  expect(await put({ targets: [{ ...target, custom_host: 'https://evil.example/v1' }, echo] })).toEqual([
    400,
    keyPointer,
  ]);
  expect(await put({ targets: [{ ...target, provider: 'anthropic' }, echo] })).toEqual([400, keyPointer]);
  expect(await put({ custom_host: 'https://evil.example/v1' })).toEqual([400, keyPointer]);
  expect(await put({ targets: [echo, target] })).toEqual([400, '/config/targets/1/api_key']);
  const moved = { ...guardrail, 'acme.ask': { ...guardrail['acme.ask'], host: 'evil.example' } };
  expect(await put({ input_guardrails: [moved] })).toEqual([400, toToken]);
  expect(await put({ name: 'gw-sealed:/targets/0/api_key' })).toEqual([400, '/config/name']);
  expect(await put({ request_timeout: 100, input_guardrails: [{ ...guardrail, deny: false }] })).toEqual([200]);
  expect(await world.servedConfig(slug)).toMatchObject({
    targets: [{ api_key: secret }, {}],
    input_guardrails: [{ 'acme.ask': { token: 'tok-secret' }, deny: false }],
  });
  expect(await world.stored()).not.toContain('tok-secret');
});

it('seals an Authorization like an api_key, and keeps it only for the destination that it was saved for', async () => {
  await using world = await savedWorld();
  const target = { provider: 'azure-openai', clouda_resource_name: 'acme', api_version: 'v1' };
  const config = { ...target, Authorization: `Bearer ${secret}` };
  const { slug } = (await world.ask('/configs', { json: { name: 'a', config } })).body.data;
  const { config: stored } = (await world.ask(`/configs/${slug}`)).body;
  expect(stored).toEqual({ ...target, Authorization: 'gw-sealed:/Authorization' });
  expect(await world.stored()).not.toContain(secret);
  expect(await world.servedConfig(slug)).toEqual(config);
  const put = async (changed: object) => {
    const { status, body } = await world.ask(`/configs/${slug}`, { method: 'PUT', json: { config: changed } });
    return [status, ...(body.error?.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)];
  };
  const elsewhere = { ...stored, clouda_resource_name: 'evil' };
  expect(await put(elsewhere)).toEqual([400, '/config/Authorization']);
  const { clouda_resource_name: resource_name, ...rest } = elsewhere;
  expect(await put({ ...rest, resource_name })).toEqual([400, '/config/Authorization']);
  expect(await put({ ...rest, resource_name: 'acme' })).toEqual([200]);
});

it('refuses a slug that is malformed, or taken in the workspace or in the gateway file', async () => {
  await using world = await savedWorld();
  const json = { name: 'a', slug: 'mine', config: { provider: 'echo' } };
  expect((await world.ask('/configs', { json })).status).toBe(200);
  expect(await world.ask('/configs', { json })).toMatchObject({ status: 409, body: { error: { code: 'AB07' } } });
  expect((await world.ask('/configs', { json: { ...json, slug: 'file-config' } })).status).toBe(409);
  expect((await world.ask('/configs', { json: { ...json, slug: 'a b' } })).status).toBe(400);
});

it('does not delete the default config of a workspace or of a key', async () => {
  await using world = await savedWorld();
  const make = async (slug: string, more: object = {}) =>
    world.ask('/configs', { json: { name: slug, slug, config: { provider: 'echo' }, ...more } });
  await make('one', { is_default: true });
  await make('saved');
  const remove = async (slug: string) => {
    const { status, body } = await world.ask(`/configs/${slug}`, { method: 'DELETE' });
    return [status, body.error?.message ?? ''];
  };
  expect(await remove('one')).toEqual([409, expect.stringContaining('is used by the workspace "default"')]);
  await make('two', { is_default: true });
  expect((await world.ask('/configs/one')).body.is_default).toBe(false);
  expect(await remove('one')).toEqual([200, '']);

  const body = {
    name: 'app',
    kind: 'workspace-service',
    scopes: ['completions.write'],
    defaults: { config_id: 'saved' },
  };
  const key = await world.keys.create(world.admin, body as never);
  expect(await remove('saved')).toEqual([409, expect.stringContaining('the key "app"')]);
  await world.keys.revoke(world.admin, key.id);
  expect(await remove('saved')).toEqual([200, '']);

  await make('three');
  await world.store.write(async (writing) => {
    await writing.updateTable('workspaces').set({ settings: '{"config":"three"}' }).execute();
  });
  expect((await remove('three'))[0]).toBe(409);
});

it('does not delete the default config of the organisation, whatever the default of the workspace is', async () => {
  await using world = await savedWorld();
  const make = async (slug: string, more: object = {}): Promise<string> => {
    const config = { provider: 'echo' };
    return (await world.ask('/configs', { json: { name: slug, slug, config, ...more } })).body.data.id;
  };
  const refused = [409, expect.stringContaining('"def" is used by the organisation.')];
  const remove = async (slug: string) => {
    const { status, body } = await world.ask(`/configs/${slug}`, { method: 'DELETE' });
    return [status, body.error?.message ?? ''];
  };
  const set = (table: 'organisations' | 'workspaces', settings: object) =>
    world.store.write(async (writing) => {
      await writing
        .updateTable(table)
        .set({ settings: JSON.stringify(settings) })
        .execute();
    });
  const id = await make('def');
  await make('other');
  for (const config of ['def', id]) {
    await set('organisations', { config });
    expect(await remove('def')).toEqual(refused);
  }
  await set('workspaces', { config: 'other' });
  expect(await remove('def')).toEqual(refused);
  await set('workspaces', {});
  expect(await remove('other')).toEqual([200, '']);
  await make('own', { is_default: true });
  expect(await remove('def')).toEqual(refused);
  await set('organisations', { config: 'own' });
  expect(await remove('def')).toEqual([200, '']);
});

it('hides the configs of a workspace from another one, which gets 404 for them', async () => {
  await using world = await savedWorld();
  const other = await world.newWorkspace('other');
  const json = { name: 'a', slug: 'ours', config: openai };
  const { id } = (await world.ask('/configs', { json })).body.data;
  for (const name of [id, 'ours']) {
    for (const [method, change] of [
      ['GET', undefined],
      ['PUT', { name: 'x' }],
      ['DELETE', undefined],
    ] as const) {
      const asked = { method, key: other.key, ...(change === undefined ? {} : { json: change }) };
      const { status, body } = await world.ask(`/configs/${name}`, asked);
      expect([status, body.error.code]).toEqual([404, 'AB08']);
    }
    expect((await world.ask(`/configs/${name}/versions`, { key: other.key })).status).toBe(404);
  }
  expect((await world.ask('/configs', { key: other.key })).body).toEqual({ object: 'list', total: 0, data: [] });
  expect((await world.ask('/configs', { key: other.key, json })).status).toBe(200);
  expect((await world.ask('/configs', { key: other.key, json: { ...json, workspace_id: 'default' } })).status).toBe(
    404,
  );
  const there = { ...json, slug: 'there', workspace_id: 'other' };
  expect((await world.ask('/configs', { json: there })).status).toBe(200);
  expect((await world.ask('/configs/there', { key: other.key })).status).toBe(200);
  expect((await world.ask('/configs/there')).status).toBe(404);
});

it('refuses a config that is too large or contains U+0000, and more than 1000 versions', async () => {
  await using world = await savedWorld();
  const large = { provider: 'echo', name: 'x'.repeat(300_000) };
  expect(await world.ask('/configs', { json: { name: 'a', config: large } })).toMatchObject({
    status: 400,
    body: { error: { errors: [{ pointer: '/config' }] } },
  });
  const zero = { provider: 'echo', name: 'a\u0000b' };
  expect(await world.ask('/configs', { json: { name: 'a', config: zero } })).toMatchObject({
    status: 400,
    body: { error: { errors: [{ pointer: '/config/name' }] } },
  });
  const { slug } = (await world.ask('/configs', { json: { name: 'a', config: { provider: 'echo' } } })).body.data;
  await world.store.write(async (writing) => {
    await writing.updateTable('config_versions').set({ number: 1000 }).execute();
  });
  const json = { config: { provider: 'echo', request_timeout: 5 } };
  expect(await world.ask(`/configs/${slug}`, { method: 'PUT', json })).toMatchObject({ status: 409 });
});

it('gives concurrent changes consecutive version numbers', async () => {
  await using world = await savedWorld();
  const { slug } = (await world.ask('/configs', { json: { name: 'a', config: openai } })).body.data;
  const changes = [1, 2, 3].map((request_timeout) =>
    world.ask(`/configs/${slug}`, {
      method: 'PUT',
      json: { config: { ...openai, api_key: sealedKey, request_timeout } },
    }),
  );
  expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([200, 200, 200]);
  const { data } = (await world.ask(`/configs/${slug}/versions`)).body;
  expect(data.map(({ version }: { version: number }) => version)).toEqual([4, 3, 2, 1]);
});

it('advances the change time of the previous default config when another one becomes the default', async () => {
  await using world = await savedWorld();
  await world.ask('/configs', { json: { name: 'a', slug: 'first', config: openai, is_default: true } });
  const read = () =>
    world.store.db
      .selectFrom('configs')
      .select(['is_default', 'updated_at'])
      .where('slug', '=', 'first')
      .executeTakeFirstOrThrow();
  const before = await read();
  // The clock of this world stands still.
  expect((await world.ask('/configs', { json: { name: 'b', config: openai, is_default: true } })).status).toBe(200);
  expect(await read()).toEqual({ is_default: 0, updated_at: before.updated_at + 1 });
});

const priority = (...models: readonly string[]): object => ({
  strategy: { mode: 'fallback' },
  targets: models.map((model) => ({ ...openai, override_params: { model }, name: model })),
});

it('compares two versions, and with dry_run compares a change with the version in service', async () => {
  await using world = await savedWorld();
  const { slug } = (await world.ask('/configs', { json: { name: 'a', config: priority('m') } })).body.data;
  await world.ask(`/configs/${slug}`, { method: 'PUT', json: { config: priority('m', 'n') } });
  await world.ask(`/configs/${slug}`, { method: 'PUT', json: { config: { ...priority('m', 'n'), name: 'other' } } });

  const compare = (query: string) => world.ask(`/configs/${slug}/diff${query}`);
  const { status, body } = await compare('?before=1&after=2');
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { object: 'config-comparison', slug, before: 1, after: 2, same: false, complete: true },
  });
  expect(body.changes).toEqual([
    {
      kind: 'route',
      requests: 'All requests',
      before: ['m'],
      after: ['m', '  on anything but 2xx: n'],
      example: expect.anything(),
    },
  ]);
  expect(body.text).toContain('All requests\n  before   m\n  after    m\n             on anything but 2xx: n\n');
  expect(JSON.stringify(body)).not.toContain(secret);
  expect((await compare('')).body).toMatchObject({ before: 2, after: 3, same: true, changes: [] });

  const tried = await world.ask(`/configs/${slug}?dry_run=true`, { method: 'PUT', json: { config: priority('n') } });
  expect(tried.body.comparison).toMatchObject({
    same: false,
    changes: [{ before: ['m', '  on anything but 2xx: n'], after: ['n'] }],
  });
  const wrong = await world.ask(`/configs/${slug}?dry_run=true`, {
    method: 'PUT',
    json: { config: { provider: 'x' } },
  });
  expect(wrong.body.comparison).toBeNull();
  expect((await world.ask(`/configs/${slug}/versions`)).body.total).toBe(3);
});

it('refuses to compare versions that do not exist or that now have errors', async () => {
  await using world = await savedWorld();
  const { slug } = (await world.ask('/configs', { json: { name: 'a', config: openai } })).body.data;
  const missing = await world.ask(`/configs/${slug}/diff?after=2`);
  expect([missing.status, missing.body.error.message]).toEqual([
    404,
    `There is no config "${slug}@2". GET /v1/configs/${slug}/versions lists what there is.`,
  ]);
  expect((await world.ask(`/configs/${slug}/diff`)).body).toMatchObject({ before: 1, after: 1, same: true });
  expect((await world.ask('/configs/none/diff')).status).toBe(404);
  for (const number of ['0', '-1', '1.5', 'x', '99999', ''])
    expect((await world.ask(`/configs/${slug}/diff?after=${number}`)).status).toBe(400);
  await world.ask('/guardrails', {
    json: { name: 'G', slug: 'g', checks: [{ id: 'contains', parameters: { words: ['x'], operator: 'any' } }] },
  });
  const named = { ...openai, input_guardrails: ['g'] };
  await world.ask(`/configs/${slug}`, { method: 'PUT', json: { config: named } });
  await world.ask(`/configs/${slug}`, { method: 'PUT', json: { config: openai } });
  await world.ask('/guardrails/g', { method: 'DELETE' });
  const { status, body } = await world.ask(`/configs/${slug}/diff`);
  expect({ status, message: body.error.message }).toEqual({
    status: 409,
    message: expect.stringContaining('Version 2'),
  });
});

it('refuses a config if a guardrail that its mirror names is deleted during the request', async () => {
  await using world = await savedWorld();
  const saved = { name: 'G', slug: 'g', checks: [{ id: 'contains', parameters: { words: ['x'], operator: 'any' } }] };
  await world.ask('/guardrails', { json: saved });
  const { compile } = world.parts;
  const deleted: number[] = [];
  const mutable: { compile: typeof compile } = world.parts;
  mutable.compile = async (...asked) => {
    const result = await compile(...asked);
    if (deleted.length === 0) deleted.push((await world.ask('/guardrails/g', { method: 'DELETE' })).status);
    return result;
  };
  const mirrored = (...checks: string[]): object => ({ ...openai, mirror: { percent: 1, target: openai, checks } });
  const named = await world.ask('/configs', { json: { name: 'a', config: mirrored('g', 'acme.answers') } });
  expect({ deleted, status: named.status }).toEqual({ deleted: [200], status: 400 });
  expect((await world.ask('/configs', { json: { name: 'a', config: mirrored('acme.answers') } })).status).toBe(200);
});
