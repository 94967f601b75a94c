import { describe, expect, it } from 'vitest';
import { declaredRows } from '../../../../plugins/control/control-routes.ts';
import { adminKey, control, sharedStore } from '../../../support/gateways/stored-gateway.ts';
import { browserCall, ownPage, signIn } from '../support/browser-call.ts';

const gateway = sharedStore();

describe('a session of the console', () => {
  it('begins with a key, lists what the key may do, and ends', async () => {
    const { baseUrl } = gateway();
    const own = ownPage(baseUrl);
    const none = await browserCall(baseUrl, 'GET /console/session', { headers: own });
    expect([none.status, JSON.parse(none.text)]).toEqual([200, { object: 'session', principal: null }]);
    const begun = await browserCall(baseUrl, 'POST /console/session', { headers: own, body: { key: adminKey } });
    expect(begun.headers['set-cookie']?.[0]).toMatch(
      /^gw-console=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    expect(begun.headers['cache-control']).toBe('no-store');
    const { cookie } = begun;
    const session = JSON.parse(begun.text);
    expect(session).toMatchObject({ principal: { reach: 'organisation' }, workspaces: [{ slug: 'default' }] });
    expect(session.scopes).toContain('keys.create');
    const again = await browserCall(baseUrl, 'GET /console/session', { headers: { cookie, 'x-gw-console': '1' } });
    expect(JSON.parse(again.text)).toEqual(session);
    expect((await browserCall(baseUrl, 'GET /v1/caller', { headers: { ...own, cookie } })).status).toBe(200);
    const ended = await browserCall(baseUrl, 'DELETE /console/session', { headers: { ...own, cookie } });
    expect(ended.headers['set-cookie']?.[0]).toContain('Max-Age=0');
    expect((await browserCall(baseUrl, 'GET /v1/caller', { headers: { ...own, cookie } })).status).toBe(401);
  });

  it('is refused without TLS, except on loopback', async () => {
    const { baseUrl } = gateway();
    const headers = { ...ownPage(baseUrl), host: 'gateway.example', origin: 'http://gateway.example' };
    const refused = await browserCall(baseUrl, 'POST /console/session', { headers, body: { key: adminKey } });
    expect([refused.status, refused.headers['set-cookie']]).toEqual([403, undefined]);
    expect(refused.text).toContain('without TLS');
    const believed = { ...headers, 'x-forwarded-proto': 'https' };
    expect(
      (await browserCall(baseUrl, 'POST /console/session', { headers: believed, body: { key: adminKey } })).status,
    ).toBe(403);
    const cookie = await signIn(baseUrl);
    const rebound = { ...headers, cookie };
    expect((await browserCall(baseUrl, 'GET /v1/caller', { headers: rebound })).status).toBe(401);
  });

  it.each<[string, Record<string, string>]>([
    ['no origin', { origin: '' }],
    ['the origin of another site', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['the origin of another scheme', { origin: 'https:' }],
    ['no console header', { 'x-gw-console': '' }],
    ['a wrong console header', { 'x-gw-console': '0' }],
    ['a Sec-Fetch-Site header that names another site', { 'sec-fetch-site': 'cross-site' }],
    ['a Sec-Fetch-Site header that names another port', { 'sec-fetch-site': 'same-site' }],
  ])('is not begun, used for a change, or ended with %s', async (_, changed) => {
    const { baseUrl } = gateway();
    const cookie = await signIn(baseUrl);
    const origin = changed.origin === 'https:' ? baseUrl.replace('http:', 'https:') : changed.origin;
    const all = { ...ownPage(baseUrl), cookie, ...changed, ...(origin === undefined ? {} : { origin }) };
    const headers = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
    const call = (request: string, body: unknown) => browserCall(baseUrl, request, { headers, body });
    expect((await call('POST /console/session', { key: adminKey })).status).toBe(403);
    expect((await call('POST /v1/workspaces', { name: 'Other' })).status).toBe(403);
    expect((await call('DELETE /console/session', undefined)).status).toBe(403);
    const own = { ...ownPage(baseUrl), cookie };
    expect((await browserCall(baseUrl, 'GET /v1/caller', { headers: own })).status).toBe(200);
  });

  it('changes nothing on any route without the origin of this host and the header of the console', async () => {
    const { baseUrl } = gateway();
    const cookie = await signIn(baseUrl);
    const changes = declaredRows().filter(({ method }) => method !== 'GET');
    expect(changes.length).toBeGreaterThan(30);
    const { origin = '' } = ownPage(baseUrl);
    const statuses = await Promise.all(
      changes.flatMap(({ method, path }) => {
        const request = `${method} /v1${path.replace(/\{\w+\}/g, 'x')}`;
        const ways = [{}, { origin }, { 'x-gw-console': '1' }, { origin: 'https://evil.example', 'x-gw-console': '1' }];
        return ways.map(async (headers) => {
          const { status } = await browserCall(baseUrl, request, { headers: { cookie, ...headers }, body: {} });
          return `${request} ${status}`;
        });
      }),
    );
    expect(statuses.filter((each) => !each.endsWith(' 403'))).toEqual([]);
  });

  it('reads nothing for a page unless the browser reports that it belongs to the gateway', async () => {
    const { baseUrl } = gateway();
    const cookie = await signIn(baseUrl);
    const read = async (headers: Record<string, string>) =>
      (await browserCall(baseUrl, 'GET /v1/caller', { headers: { cookie, ...headers } })).status;
    expect(await read({})).toBe(403);
    expect(await read({ 'sec-fetch-site': 'none' })).toBe(403);
    expect(await read({ 'sec-fetch-site': 'cross-site', 'x-gw-console': '1' })).toBe(403);
    expect(await read({ 'sec-fetch-site': 'same-origin' })).toBe(200);
    expect(await read({ 'x-gw-console': '1' })).toBe(200);
  });

  it('yields to a key, and opens no route that calls models', async () => {
    const { baseUrl } = gateway();
    const cookie = await signIn(baseUrl);
    const own = { ...ownPage(baseUrl), cookie };
    const withKey = { ...own, 'x-gw-api-key': 'gw-nobody' };
    expect((await browserCall(baseUrl, 'GET /v1/caller', { headers: withKey })).status).toBe(401);
    const calling = declaredRows().filter(
      ({ shared = false, scope, admits }) => admits === undefined && (shared || scope === 'completions.write'),
    );
    expect(calling.length).toBeGreaterThan(10);
    for (const { method, path } of calling) {
      const request = `${method} /v1${path.replace(/\{\w+\}/g, 'x')}`;
      const { status } = await browserCall(baseUrl, request, {
        headers: own,
        ...(method === 'GET' ? {} : { body: {} }),
      });
      expect([request, status]).toEqual([request, 403]);
    }
    for (const path of ['/v1/chat/completions', '/v1/embeddings', '/v1/messages', '/v1/anything', '/v1/models'])
      expect((await browserCall(baseUrl, `POST ${path}`, { headers: own, body: { model: 'm' } })).status).toBe(401);
  });

  it('is ignored if its cookie is sent twice, or if no such session exists', async () => {
    const { baseUrl } = gateway();
    const [cookie, other] = [await signIn(baseUrl), await signIn(baseUrl)];
    const read = async (sent: string | readonly string[]) =>
      (await browserCall(baseUrl, 'GET /v1/caller', { headers: { ...ownPage(baseUrl), cookie: sent } })).status;
    expect(await read(`a=b; ${cookie}; c=d`)).toBe(200);
    expect(await read(`${cookie}; ${other}`)).toBe(401);
    expect(await read([cookie, other])).toBe(401);
    expect(await read(cookie.replace('gw-console', '__Host-gw'))).toBe(401);
    expect(await read(`gw-console=${'x'.repeat(8000)}`)).toBe(401);
    expect(await read(`gw-console=${'x'.repeat(43)}`)).toBe(401);
    expect(await read(`gw-console=${'x'.repeat(100_000)}`)).toBe(431);
  });

  it('is new after each sign-in, which ends the previous one', async () => {
    const { baseUrl } = gateway();
    const own = ownPage(baseUrl);
    const fixed = `gw-console=${'f'.repeat(43)}`;
    const begin = (cookie: string) =>
      browserCall(baseUrl, 'POST /console/session', { headers: { ...own, cookie }, body: { key: adminKey } });
    const { cookie: first } = await begin(fixed);
    expect(first).not.toBe(fixed);
    const { cookie: second } = await begin(first);
    const read = async (cookie: string) =>
      (await browserCall(baseUrl, 'GET /v1/caller', { headers: { ...own, cookie } })).status;
    expect([await read(fixed), await read(first), await read(second)]).toEqual([401, 401, 200]);
  });

  it('has exactly the permissions of its key', async () => {
    const { baseUrl } = gateway();
    const { key } = await control(gateway(), 'POST /api-keys/workspace/service', {
      body: { name: 'reader', scopes: ['configs.list'], workspace_id: 'default' },
    });
    const cookie = await signIn(baseUrl, key);
    const own = { ...ownPage(baseUrl), cookie };
    const session = await browserCall(baseUrl, 'GET /console/session', { headers: own });
    expect(JSON.parse(session.text)).toMatchObject({ principal: { reach: 'workspace' }, scopes: ['configs.list'] });
    expect((await browserCall(baseUrl, 'GET /v1/configs', { headers: own })).status).toBe(200);
    expect((await browserCall(baseUrl, 'GET /v1/api-keys', { headers: own })).status).toBe(403);
    const play = await browserCall(baseUrl, 'POST /console/playground?path=%2Fv1%2Fchat%2Fcompletions', {
      headers: own,
      body: { model: 'm', messages: [] },
    });
    expect(play.status).toBe(403);
  });
});
