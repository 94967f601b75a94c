import { describe, expect, it } from 'vitest';
import { createGateway } from '../../../index.ts';
import { definePlugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { defineRoute } from '../../../plugins/sdk/route/define-route.ts';
import type { RouteReply } from '../../../plugins/sdk/route/route-row.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import { compileConfig } from '../../support/plans/compile-config.ts';
import { rawHttp } from '../../support/servers/raw-http.ts';
import { readError, startNotes } from '../server/support/start-notes.ts';

const keys = [{ id: 'a', key: 'key-of-team-a', tenant: 'team-a' }];
const key = { 'x-gw-api-key': 'key-of-team-a' };

describe('the routes of a plugin', () => {
  it('read the path, the query and the body, with types and defaults', async () => {
    await using server = await startNotes({ serviceKeys: keys });
    const one = await server.ask('/v1/notes/a%2Fb%20%C3%A9', { headers: key });
    expect(await one.json()).toMatchObject({ id: 'a/b é', tenant: 'team-a', keyId: 'a' });
    const list = await server.ask('/v1/notes?exact=true&tag=x&tag=y+z', { headers: key });
    expect(await list.json()).toEqual([{ id: '20 true', text: '', tags: ['x', 'y z'] }]);
    const made = await server.ask('/v1/notes', { headers: key, json: { text: 'Hello', data: { anything: [1] } } });
    expect(made.status).toBe(201);
    expect(await made.json()).toEqual({ id: '1', text: 'Hello', colour: 'red', members: 1 });
  });

  it('accept the service key as a bearer token', async () => {
    await using server = await startNotes({ serviceKeys: keys });
    expect((await server.ask('/v1/notes/1', { headers: { authorization: 'Bearer key-of-team-a' } })).status).toBe(200);
  });

  it('are never cached, and always have a trace id', async () => {
    await using server = await startNotes({ serviceKeys: keys });
    for (const [path, headers] of [
      ['/v1/notes/1', key],
      ['/v1/notes/1', {}],
      ['/v1/notes/1/2/3', key],
      ['/v1/openapi.json', key],
    ] as const) {
      const answer = await server.ask(path, { headers: { ...headers, 'x-gw-trace-id': 'trace-7' } });
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('x-gw-trace-id')).toBe('trace-7');
    }
  });

  it.each([
    '/v1/notes/1/',
    '/v1//notes/1',
    '/v1/./notes//1/.',
    '/v1/%6eotes/1',
    '/v1/n%6Ftes/%31',
    '/v1/proxy/notes/1',
    '/v1/v1/notes/1',
    '/v1/proxy/v1//%6eotes/1?',
    '//v1/notes/1',
  ])('are found in every spelling: %s', async (path) => {
    await using server = await startNotes();
    const { statusLine, body } = await rawHttp(server.origin, { method: 'GET', path });
    expect(statusLine).toContain(' 200 ');
    expect(body.toString()).toContain('"id":"1"');
  });

  it.each([
    '/v1/notes/1/other',
    '/v1/%6eotes/1/other',
    '/v1/proxy/notes/1/ask/more',
    '/v1/notes/1/%2e%2e/2',
    '/v1/notes/__proto__/x',
  ])('keep what is below their first segments away from providers: %s', async (path) => {
    await using server = await startNotes();
    const { statusLine, lines } = await rawHttp(server.origin, { method: 'POST', path, body: Buffer.from('{}') });
    expect(statusLine).toContain(' 404 ');
    expect(lines.join('\n')).not.toContain('x-gw-provider');
  });

  it('do not mistake ids for properties of JavaScript objects', async () => {
    await using server = await startNotes();
    for (const id of ['__proto__', 'constructor', 'toString'])
      expect(await (await server.ask(`/v1/notes/${id}`)).json()).toMatchObject({ id });
  });

  it('check a request in this order: caller, path, permission, content', async () => {
    await using server = await startNotes({ serviceKeys: keys });
    const bad = { method: 'POST', body: 'no json', headers: { 'x-gw-metadata': 'no json' } };
    expect((await server.ask('/v1/nothing-of-ours', bad)).status).toBe(401);
    const readRefusal = async (path: string, init: RequestInit) => {
      const answer = await server.ask(path, init);
      return [answer.status, (await readError(answer)).code, answer.headers.get('allow')];
    };
    expect(await readRefusal('/v1/notes/1/2/3', bad)).toEqual([401, 'AB05', null]);
    expect(await readRefusal('/v1/notes/1', bad)).toEqual([401, 'AB05', null]);
    expect(await readRefusal('/v1/notes', { ...bad, headers: { 'x-gw-api-key': 'wrong' } })).toEqual([
      401,
      'AB05',
      null,
    ]);
    const known = { ...bad, headers: { ...bad.headers, ...key } };
    expect(await readRefusal('/v1/notes/1/2/3', known)).toEqual([404, 'AB08', null]);
    expect(await readRefusal('/v1/notes/1', known)).toEqual([405, 'method-not-allowed', 'GET, DELETE, HEAD']);
    expect(await readRefusal('/v1/notes/%ff?a=b', { method: 'DELETE', headers: known.headers })).toEqual([
      403,
      'AB03',
      null,
    ]);
    expect(await readRefusal('/v1/notes', known)).toEqual([400, 'AB01', null]);
    expect(await readRefusal('/v1/notes', { ...bad, headers: key })).toEqual([400, 'AB01', null]);
    expect(server.plugin.created()).toBe(0);
  });

  it('are open to this machine with every scope if there are no keys', async () => {
    await using server = await startNotes();
    expect((await server.ask('/v1/notes/1', { method: 'DELETE' })).status).toBe(204);
    const foreign = await rawHttp(server.origin, { method: 'GET', path: '/v1/notes/1', lines: ['X: y'] });
    expect(foreign.statusLine).toContain(' 200 ');
    const rebound = await fetch(`${server.origin}/v1/notes/1`, { headers: { origin: 'https://evil.example' } });
    expect(rebound.status).toBe(403);
  });

  it('reject pages of other sites, whatever their key, and allow none by CORS', async () => {
    await using server = await startNotes({ serviceKeys: keys });
    for (const origin of ['https://evil.example', 'null', `http://127.0.0.1:1`]) {
      const answer = await server.ask('/v1/notes/1', { headers: { ...key, origin } });
      expect(answer.status).toBe(403);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
    expect((await server.ask('/v1/notes/1', { headers: { ...key, origin: server.origin } })).status).toBe(200);
    const preflight = await server.ask('/v1/notes/1', { method: 'OPTIONS', headers: key });
    expect(preflight.status).toBe(204);
    expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  it('answer HEAD like GET, without the body', async () => {
    await using server = await startNotes();
    const { statusLine, body } = await rawHttp(server.origin, { method: 'HEAD', path: '/v1/notes/1' });
    expect([statusLine, body.length]).toEqual(['HTTP/1.1 200 OK', 0]);
  });

  it('answer with an error of the gateway that a handler throws, and report any other only to the operator', async () => {
    const failed: unknown[] = [];
    const watcher = definePlugin({
      name: 'watcher',
      apply: (hooks) => hooks.failed.tap('watcher', (error) => void failed.push(error)),
    });
    await using server = await startNotes({ plugins: [watcher] });
    const unknown = await server.ask('/v1/notes/unknown');
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      {
        error: {
          message: 'There is no note "unknown". GET /notes.',
          type: 'not_found_error',
          param: null,
          code: 'AB08',
        },
      },
    ]);
    const broken = await server.ask('/v1/notes/broken', { headers: { 'x-gw-trace-id': 'trace-9' } });
    const text = await broken.text();
    expect(broken.status).toBe(500);
    expect(JSON.parse(text)).toMatchObject({ error: { type: 'gateway_error', code: 'AB04' } });
    expect(text).not.toContain('hunter2');
    expect(broken.headers.get('x-gw-trace-id')).toBe('trace-9');
    expect(failed.map((error) => String((error as Error).cause))).toContain('Error: the password is hunter2');
  });

  it('are logged like every other request, and do not affect the paths of models', async () => {
    const ended: string[] = [];
    const log = definePlugin({
      name: 'log',
      apply: (hooks) =>
        hooks.completed.tap(
          'log',
          (response, exchange) => void ended.push(`${exchange.request.path} ${response.status}`),
        ),
    });
    await using server = await startNotes({ plugins: [log] });
    await server.ask('/v1/notes/1');
    await server.ask('/v1/notes/1/2/3');
    const chat = { model: 'echo', messages: [{ role: 'user', content: 'Hi' }] };
    expect((await server.ask('/v1/chat/completions', { json: chat })).status).toBe(200);
    expect(ended).toEqual(['/notes/1 200', '/notes/1/2/3 404', '/chat/completions 200']);
  });
});

describe('a handler that returns', () => {
  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a text as the status', { status: 'ok', body: {} }],
    ['the status 99', { status: 99, body: {} }],
    ['the status 600', { status: 600, body: {} }],
    ['headers as an object', { status: 200, headers: { a: 'b' } }],
    ['a header with a line break', { status: 200, headers: ['x-a', 'b\r\nx-c: d'] }],
    ['a header whose name is no token', { status: 200, headers: ['x a', 'b'] }],
  ])('%s is a 500, and the error names its route', async (_, returned) => {
    const errors: string[] = [];
    const route = defineRoute({
      method: 'GET',
      path: '/odd',
      operationId: 'get_odd',
      summary: 'Returns something odd.',
      scope: null,
      replies: { 200: {} },
      // A plugin that was not type-checked can return anything.
      handle: () => returned as unknown as RouteReply,
    });
    const plugin = definePlugin({
      name: 'odd',
      routes: [route],
      apply: (hooks) => hooks.failed.tap('odd', ({ message, cause }) => void errors.push(message, errorText(cause))),
    });
    await using server = await startNotes({ plugins: [plugin] });
    expect((await server.ask('/v1/odd')).status).toBe(500);
    expect(errors.join()).toContain('The handler of the route "get_odd" returned something other than a reply');
  });
});

it('an answer of a plugin that announces trailer fields is sent without them', async () => {
  const route = defineRoute({
    method: 'GET',
    path: '/odd',
    operationId: 'get_odd',
    summary: 'Returns something odd.',
    scope: null,
    replies: { 200: {} },
    handle: () => ({ status: 200, headers: ['Trailer', 'x-a'], body: { a: 1 } }),
  });
  await using server = await startNotes({ plugins: [definePlugin({ name: 'odd', routes: [route] })] });
  const answer = await server.ask('/v1/odd');
  expect([answer.status, answer.headers.has('trailer'), await answer.json()]).toEqual([200, false, { a: 1 }]);
});

it('a plugin that throws in start is named, to those who listen and to requests', async () => {
  const plugin = definePlugin({
    name: 'late',
    start: () => {
      throw new Error('no port');
    },
  });
  const gateway = createGateway({
    plan: compileConfig('{ "provider": "echo" }'),
    plugins: [plugin],
  });
  const why = 'The plugin "late" failed in start: no port.';
  await expect(gateway.listen()).rejects.toThrow(why);
  await expect(gateway.fetch(new Request('http://gateway/v1/models'))).rejects.toThrow(why);
  await gateway.close({ drainMs: 0 });
});
