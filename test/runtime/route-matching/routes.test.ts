import { describe, expect, it } from 'vitest';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import { declaredRows } from '../../../plugins/control/control-routes.ts';
import { definePlugin } from '../../../plugins/sdk/plugin/plugin.ts';
import type { AnyRouteRow } from '../../../plugins/sdk/route/route-row.ts';
import { controlSegments } from '../../../runtime/route-matching/control-segments.ts';
import { absentControlRoute, controlRoute, modelsRoute } from '../../../runtime/route-matching/declared-routes.ts';
import { createRoutes } from '../../../runtime/route-matching/routes.ts';
import { notesPlugin } from '../server/support/notes-plugin.ts';

const { match: matchRoute } = createRoutes(builtinPlugins);
const controlRows = declaredRows();

describe('matchRoute', () => {
  it('matches the modelled endpoints by method and path, with or without a query', () => {
    expect(matchRoute('POST', '/v1/chat/completions')).toEqual({
      route: { operation: 'converse', dialect: 'chat' },
      path: '/chat/completions',
      url: '/v1/chat/completions',
    });
    expect(matchRoute('POST', '/v1/messages?beta=true')).toEqual({
      route: { operation: 'converse', dialect: 'messages' },
      path: '/messages?beta=true',
      url: '/v1/messages?beta=true',
    });
    expect(matchRoute('POST', '/v1/embeddings')?.route.operation).toBe('embed');
    expect(matchRoute('POST', '/v1/completions')?.route).toEqual({ operation: 'complete', dialect: 'completions' });
  });

  it('passes everything else below /v1 through, whatever the method', () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'PROPFIND'])
      expect(matchRoute(method, '/v1/files/f-1/content?x=%2F')).toEqual({
        route: { operation: 'opaque' },
        path: '/files/f-1/content?x=%2F',
        url: '/v1/files/f-1/content?x=%2F',
      });
    expect(matchRoute('GET', '/v1/chat/completions')?.route.operation).toBe('opaque');
    expect(matchRoute('POST', '/v1/messages/batches')?.route).toEqual({ operation: 'opaque' });
  });

  const serviceKey = `gw-${'A1'.repeat(13)}-${'b2'.repeat(26)}-C3d4E5`;

  it.each([
    serviceKey,
    serviceKey.toUpperCase(),
    `x${serviceKey}x`,
    serviceKey.replaceAll('-', '%2D'),
    [...serviceKey].map((char) => `%${char.charCodeAt(0).toString(16)}`).join(''),
  ])('rejects a path with a service key, however it is written: %s', (segment) => {
    for (const path of ['/v1/files/', '/v1/proxy/files/', '/openai/v1/files/', '/v1/configs/', '/v1beta/models/'])
      for (const method of ['GET', 'POST'])
        for (const end of ['', '/content', '?a=1', ':generateContent']) {
          const match = matchRoute(method, path + segment + end);
          if (match !== undefined) expect(match.problem?.report.code).toBe('service-key-in-path');
        }
  });

  it('removes a member of the query that contains a service key', () => {
    const keys = [serviceKey, `a%20${serviceKey.replaceAll('-', '%2d')}`].map((key) => `key=${key}&${key}`).join('&');
    for (const path of ['/files', '/chat/completions', '/configs'])
      expect(matchRoute('POST', `/v1${path}?a=%63&${keys}&b`)).toMatchObject({
        path: `${path}?a=%63&b`,
        url: `/v1${path}?a=%63&b`,
      });
    expect(matchRoute('POST', `/v1/files?${keys}`)).toMatchObject({ path: '/files', url: '/v1/files' });
  });

  it('removes /v1/proxy from what it passes through', () => {
    expect(matchRoute('POST', '/v1/proxy/audio/speech?a=1')?.path).toBe('/audio/speech?a=1');
    expect(matchRoute('GET', '/v1/proxy/chat/completions')?.route.operation).toBe('opaque');
  });

  it.each([
    '/v1/chat/completions/',
    '/v1//chat/completions',
    '/v1/chat//completions',
    '/v1/./chat/completions',
    '/v1/chat/./completions/.',
    '/v1/chat/%63ompletions',
    '/v1/%63%68%61%74/completions',
    '/v1/chat/%2e/completions',
    '/v1/chat/%2E/completions',
    '/v1/proxy/chat/completions',
    '/v1/proxy/v1/chat/completions',
    '/v1/v1/chat/completions',
    '/v1/v1/proxy//./%63hat/completions/',
    '/%761/chat/completions',
    '//v1/chat/completions',
  ])('matches an operation in another spelling of its path, which conditions see normalised: %s', (path) => {
    expect(matchRoute('POST', `${path}?a=%63`)).toEqual({
      route: { operation: 'converse', dialect: 'chat' },
      path: '/chat/completions?a=%63',
      url: '/v1/chat/completions?a=%63',
    });
  });

  it.each(['/v1/chat%2fcompletions', '/v1/Chat/completions', '/v1/chat/%2563ompletions', '/v1/proxychat/completions'])(
    'does not match a path that only looks like an operation: %s',
    (path) => {
      expect(matchRoute('POST', path)).toEqual({ route: { operation: 'opaque' }, path: path.slice(3), url: path });
    },
  );

  it('matches its endpoints if clients repeat the version, and passes the rest through unchanged', () => {
    expect(matchRoute('POST', '/v1/v1/messages?beta=true')).toEqual({
      route: { operation: 'converse', dialect: 'messages' },
      path: '/messages?beta=true',
      url: '/v1/messages?beta=true',
    });
    expect(matchRoute('GET', '/v1/v1/models')).toEqual({ route: modelsRoute, path: '/models', url: '/v1/models' });
    expect(matchRoute('GET', '/v1/v1/files')?.path).toBe('/v1/files');
  });

  it('lets no path below the first segment of a control route reach a provider', () => {
    const { match } = createRoutes([...builtinPlugins, notesPlugin()]);
    for (const path of [
      '/v1/notes',
      '/v1/notes/n-1?x=1',
      '/v1/notes/n-1/unknown',
      '/v1/proxy/notes/n-1',
      '/v1//notes/n-1',
      '/v1/%6eotes',
      '/v1/v1/notes/./n-1/',
      '/v1/openapi.json',
    ])
      expect(match('POST', path)?.route).toBe(controlRoute);
    expect(match('GET', '/v1/proxy/notes/n%2D1/?x=%31')).toMatchObject({
      path: '/notes/n-1?x=%31',
      url: '/v1/notes/n-1?x=%31',
    });
    for (const path of [
      '/v1/Notes',
      '/v1/NOTES/n-1',
      '/v1/notes;a=b/n-1',
      '/v1/notes.json',
      '/v1/notes%20',
      '/v1/OpenAPI.json',
      '/v1/openapi',
      '/v1/notes%00/n-1',
    ])
      expect(match('POST', path), path).toBeUndefined();
    for (const path of ['/v1/notesbook', '/v1/files/notes', '/v1/promptsbook/p-1'])
      expect(match('GET', path)?.route).toEqual({ operation: 'opaque' });
    expect(match('GET', '/notes')).toBeUndefined();
    expect(match('POST', '/v1/chat/completions')?.route).toEqual({ operation: 'converse', dialect: 'chat' });
  });

  it('rejects control routes among the paths of a dialect', () => {
    const row = { ...notesPlugin().routes[0], path: '/chat/{id}' } as AnyRouteRow;
    expect(() => createRoutes([...builtinPlugins, definePlugin({ name: 'acme', routes: [row] })])).toThrow(
      'The route get_note of the plugin "acme" cannot be served: paths that begin with /chat belong to the dialect',
    );
  });

  it('matches its endpoints at the root too', () => {
    for (const path of ['/messages', '/messages/', '//messages', '/%6dessages?'])
      expect(matchRoute('POST', path)?.route).toEqual({ operation: 'converse', dialect: 'messages' });
    expect(matchRoute('POST', '/chat/completions?a=1')).toEqual({
      route: { operation: 'converse', dialect: 'chat' },
      path: '/chat/completions?a=1',
      url: '/v1/chat/completions?a=1',
    });
    expect(matchRoute('GET', '/models')?.route).toBe(modelsRoute);
  });

  it.each(['/openai/v1', '/openai', '//openai/./v1'])("treats another base of OpenAI's API like its own: %s", (at) => {
    expect(matchRoute('POST', `${at}/responses?a=1`)).toEqual({
      route: { operation: 'converse', dialect: 'responses' },
      path: '/responses?a=1',
      url: '/v1/responses?a=1',
    });
    expect(matchRoute('GET', `${at}/files/f-1?a=1`)).toEqual({
      route: { operation: 'opaque' },
      path: '/files/f-1?a=1',
      url: '/v1/files/f-1?a=1',
    });
    expect(matchRoute('GET', `${at}/configs/c-1`)?.route).toBe(absentControlRoute);
    expect(matchRoute('POST', `${at}/../responses`)).toBeUndefined();
  });

  it('matches nothing else outside /v1', () => {
    for (const path of ['/', '/v1', '/v1/', '/v3/models', '*', 'http://elsewhere/v1/models'])
      expect(matchRoute('GET', path)).toBeUndefined();
  });
});

describe('without a control plane', () => {
  const spellings = (segment: string): readonly string[] => [
    `/v1/${segment}`,
    `/v1/${segment}/x/y?z=1`,
    `/v1/v1/${segment}/./x/`,
    `/v1/proxy/${segment}/x`,
    `/v1/proxy/v1//proxy/${segment}`,
    `//v1//${segment}//x`,
    `/%761/%${segment.charCodeAt(0).toString(16)}${segment.slice(1)}`,
    `/v1/${segment.toUpperCase()}`,
    `/v1/${segment};a=b/x`,
    `/v1/${segment}%2fx`,
    `/v1/${segment}%00`,
  ];

  it.each(controlSegments)('no spelling of a path below /%s reaches a provider', (segment) => {
    for (const path of spellings(segment))
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND'])
        expect(matchRoute(method, path)?.route, `${method} ${path}`).toBe(absentControlRoute);
  });

  it('only paths that belong to the control plane alone are kept from providers', () => {
    const own = new Set(controlSegments);
    const shared = controlRows.filter((row) => row.shared === true);
    expect(shared.length).toBeGreaterThan(20);
    for (const { method, path } of [...shared, ...controlRows]) {
      const isOwn = own.has(path.split('/')[1] ?? '');
      expect(isOwn, path).toBe(!shared.some((row) => row.path === path));
      expect(matchRoute(method, `/v1${path}`)?.route === absentControlRoute, path).toBe(isOwn);
    }
    for (const path of ['/v1/promptsbook', '/v1/organization/users', '/v1/x/providers', '/v1/provider', '/v1/log'])
      expect(matchRoute('GET', path)?.route).toEqual({ operation: 'opaque' });
  });
});
