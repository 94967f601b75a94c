import { describe, expect, it } from 'vitest';
import { scopes } from '../../../../../plugins/control/kernel/requests/scopes.ts';
import { startPlaces } from '../../support/place-world.ts';
import { fileKey, toError, toPointers } from '../../support/served-control.ts';

describe('a service key', () => {
  it.each([
    ['/api-keys', {}, 'workspace-service'],
    ['/api-keys', { kind: 'workspace-user', user_id: 'ada' }, 'workspace-user'],
    ['/api-keys/organisation/service', {}, 'organisation'],
    ['/api-keys/workspace/service', {}, 'workspace-service'],
    ['/api-keys/workspace/user', { user_id: 'ada' }, 'workspace-user'],
  ])('created by POST %s with %o works immediately and has the kind %s', async (path, body, kind) => {
    await using world = await startPlaces();
    const json = { name: 'backend', scopes: ['completions.write', 'models:list'], ...body };
    const made = await world.gateway.ask(path, { key: world.admin, json });
    expect(made).toEqual({
      status: 200,
      body: { object: 'api-key', id: expect.any(String), key: expect.stringMatching(/^gw-/) },
    });
    expect(await world.gateway.chat(String(made.body.key))).toBe(200);
    const { body: shown } = await world.gateway.ask(`/api-keys/${made.body.id}`, { key: world.admin });
    expect(shown).toMatchObject({
      name: 'backend',
      kind,
      scopes: ['completions.write', 'models.list'],
      status: 'active',
    });
    expect(shown.key).toMatch(/^gw-….{4}$/);
  });

  it('is listed with its mask, by page, workspace, status and a text in its name', async () => {
    await using world = await startPlaces();
    const { id, key } = await world.make({});
    await world.gateway.ask(`/api-keys/${id}`, { key: world.admin, method: 'DELETE' });
    const list = async (query: string) => (await world.gateway.ask(`/api-keys${query}`, { key: world.admin })).body;
    expect(await list('')).toMatchObject({ object: 'list', total: 2, data: [{ id }, { name: 'admin' }] });
    expect(JSON.stringify(await list(''))).not.toContain(key);
    expect(await list('?page_size=1&current_page=1')).toMatchObject({ total: 2, data: [{ name: 'admin' }] });
    expect(await list('?status=active')).toMatchObject({ total: 1, data: [{ name: 'admin' }] });
    expect(await list('?workspace_id=default')).toMatchObject({ total: 1, data: [{ id }] });
    expect(await list('?workspace_id=nowhere')).toMatchObject({ total: 0, data: [] });
    expect(await list('?search=ADM')).toMatchObject({ total: 1, data: [{ name: 'admin' }] });
    expect(await list(`?ids=${id},none`)).toMatchObject({ total: 1, data: [{ id }] });
    expect(await list(`?ids=${'a'.repeat(4001)}`)).toMatchObject({ error: { errors: [{ pointer: '/ids' }] } });
    expect(await list('?search=%25')).toMatchObject({ total: 0, data: [] });
    expect(await list(`?search=${'a'.repeat(256)}`)).toMatchObject({ total: 0, data: [] });
    expect(await list(`?search=${'a'.repeat(257)}`)).toMatchObject({ error: { errors: [{ pointer: '/search' }] } });
    expect(await list('?page_size=1001&current_page=-1')).toMatchObject({
      error: { errors: [{ pointer: '/page_size' }, { pointer: '/current_page' }] },
    });
  });

  it('is changed only in the members of the request body, and loses those that are null', async () => {
    await using world = await startPlaces();
    const end = Math.floor(Date.now() / 1000) + 3600;
    const { id } = await world.make({ expires_at: end, defaults: { metadata: { team: 'a' }, config_id: 'shared' } });
    const put = (json: object) => world.gateway.ask(`/api-keys/${id}`, { key: world.admin, method: 'PUT', json });
    expect(await put({ name: 'other' })).toMatchObject({ status: 200, body: { name: 'other', expires_at: end } });
    expect(await put({ expires_at: null, rotation_policy: { rotation_period: 'weekly' } })).toMatchObject({
      status: 200,
      body: { name: 'other', expires_at: null, defaults: { config_id: 'shared' } },
    });
    expect((await put({ rotation_policy: null })).body.rotation_policy).toBeNull();
  });

  it('that was rotated is accepted along with the new one until the next rotation', async () => {
    await using world = await startPlaces();
    const { id, key } = await world.make({});
    const rotate = () =>
      world.gateway.ask(`/api-keys/${id}/rotate`, { key: world.admin, json: { key_transition_period_ms: 1_800_000 } });
    const { status, body } = await rotate();
    const until = Number(body.key_transition_expires_at) - Date.now() / 1000;
    expect([status, body.id, Math.round(until / 60)]).toEqual([200, id, 30]);
    expect([await world.gateway.chat(key), await world.gateway.chat(String(body.key))]).toEqual([200, 200]);
    const next = await rotate();
    await expect.poll(() => world.gateway.chat(key), { interval: 20 }).toBe(401);
    expect([await world.gateway.chat(String(body.key)), await world.gateway.chat(String(next.body.key))]).toEqual([
      200, 200,
    ]);
  });

  it('that was revoked is refused within a second, and its record stays', async () => {
    await using world = await startPlaces();
    const { id, key } = await world.make({});
    expect(await world.gateway.chat(key)).toBe(200);
    expect(await world.gateway.ask(`/api-keys/${id}`, { key: world.admin, method: 'DELETE' })).toEqual({
      status: 200,
      body: {},
    });
    await expect.poll(() => world.gateway.chat(key), { interval: 20 }).toBe(401);
    expect((await world.gateway.ask(`/api-keys/${id}`, { key: world.admin })).body.status).toBe('revoked');
  });

  it('cannot create, rotate or widen a key beyond its own scopes and its own workspace', async () => {
    await using world = await startPlaces();
    await world.gateway.ask('/workspaces', { key: world.admin, json: { name: 'Other', slug: 'other' } });
    const maker = await world.make({ scopes: ['keys.create', 'keys.update', 'keys.rotate', 'keys.read'] });
    const make = (json: object) =>
      world.gateway.ask('/api-keys', { key: maker.key, json: { name: 'k', scopes: ['keys.read'], ...json } });
    expect((await make({})).status).toBe(200);
    for (const [json, pointer] of [
      [{ scopes: ['keys.read', 'completions.write'] }, '/scopes/1'],
      [{ kind: 'organisation' }, '/kind'],
      [{ workspace_id: 'other' }, '/workspace_id'],
      [{ workspace_id: 'nowhere' }, '/workspace_id'],
    ] as const) {
      const answer = await make(json);
      expect([answer.status, toError(answer).code, ...toPointers(answer)]).toEqual([403, 'AB03', pointer]);
    }
    const stronger = await world.make({});
    const rotated = await world.gateway.ask(`/api-keys/${stronger.id}/rotate`, { key: maker.key, json: {} });
    expect([rotated.status, toError(rotated).code]).toEqual([403, 'AB03']);
    const widened = await world.gateway.ask(`/api-keys/${maker.id}`, {
      key: maker.key,
      method: 'PUT',
      json: { scopes: ['completions.write'] },
    });
    expect(widened.status).toBe(403);
  });
});

describe('requests about service keys', () => {
  it('are validated in this order: key, path, method, scope, content type, body', async () => {
    await using world = await startPlaces();
    const reader = await world.make({ scopes: ['keys.read'] });
    const bad = { json: '{', headers: { 'content-type': 'text/plain' } };
    const readStatus = async (path: string, asking: object): Promise<number> =>
      (await world.gateway.ask(path, { method: 'POST', ...asking })).status;
    expect(await readStatus('/api-keys', { ...bad })).toBe(401);
    expect(await readStatus('/api-keys', { ...bad, key: `${reader.key}x` })).toBe(401);
    expect(await readStatus('/api-keys/organisation/user', { ...bad, key: reader.key })).toBe(404);
    expect(await readStatus('/api-keys', { key: reader.key, method: 'PATCH' })).toBe(405);
    expect(await readStatus('/api-keys', { ...bad, key: reader.key })).toBe(403);
    expect(await readStatus('/api-keys', { ...bad, key: fileKey })).toBe(403);
    const typed = await world.gateway.ask('/api-keys', { method: 'POST', ...bad, key: world.admin });
    expect([typed.status, toError(typed).message]).toEqual([400, expect.stringContaining('is "text/plain"')]);
    const untyped = await world.gateway.ask('/api-keys', { json: bad.json, key: world.admin });
    expect([untyped.status, toError(untyped).message]).toEqual([400, expect.stringContaining('is not valid JSON')]);
  });

  it('are refused with all problems at once', async () => {
    await using world = await startPlaces();
    const answer = await world.gateway.ask('/api-keys/workspace/user', {
      key: world.admin,
      json: {
        ...{ name: '', scopes: ['config.read', 'keys.create'], user_id: 'ada', expires_at: 1 },
        defaults: { config_id: 'unknown' },
      },
    });
    expect(answer.status).toBe(400);
    expect(toPointers(answer)).toEqual(['/name', '/scopes/0', '/scopes/1', '/defaults/config_id', '/expires_at']);
  });

  it.each([
    ['/api-keys', { name: 'k', scopes: [], limits: {} }, '/limits'],
    ['/api-keys', { scopes: [] }, ''],
    ['/api-keys/organisation/service', { name: 'k', scopes: [], workspace_id: 'default' }, '/workspace_id'],
    ['/api-keys/workspace/service', { name: 'k', scopes: [], user_id: 'ada' }, '/user_id'],
    ['/api-keys/workspace/user', { name: 'k', scopes: [] }, ''],
    ['/api-keys', { name: 'k', scopes: [], defaults: { metadata: { a: 'b\u0000' } } }, '/defaults/metadata/a'],
  ])('are refused for POST %s with %o', async (path, json, pointer) => {
    await using world = await startPlaces();
    const answer = await world.gateway.ask(path, { key: world.admin, json });
    expect([answer.status, ...toPointers(answer)]).toEqual([400, pointer]);
  });

  it('get the same 404 for a key of another workspace as for a key that never existed', async () => {
    await using world = await startPlaces();
    await world.gateway.ask('/workspaces', { key: world.admin, json: { name: 'Other', slug: 'other' } });
    const other = await world.make({ workspace_id: 'other' });
    const { key } = await world.make({ scopes: scopes.filter((scope) => scope.startsWith('keys.')) });
    const unknown = other.id.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
    for (const [method, ending, json] of [
      ['GET', '', undefined],
      ['PUT', '', {}],
      ['DELETE', '', undefined],
      ['POST', '/rotate', {}],
    ] as const) {
      const askAbout = async (id: string) => {
        const answer = await world.gateway.ask(`/api-keys/${id}${ending}`, { key, method, json });
        return JSON.stringify(answer).replaceAll(id, 'ID');
      };
      expect(await askAbout(other.id)).toBe(await askAbout(unknown));
      expect(await askAbout(other.id)).toContain('"status":404');
    }
  });
});
