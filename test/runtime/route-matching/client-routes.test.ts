import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtinPlugins } from '../../../plugins/builtin.ts';
import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import { definePlugin } from '../../../plugins/sdk/plugin/plugin.ts';
import { PluginError } from '../../../runtime/engine/plugins/plugin-error.ts';
import { createRoutes } from '../../../runtime/route-matching/routes.ts';
import { patternDialect, patternPlugin } from '../server/support/pattern-dialect.ts';

const routes = createRoutes([...builtinPlugins, patternPlugin]);

describe('a path that names the model', () => {
  it('matches a route with the model and whether the answer is a stream', () => {
    expect(routes.match('POST', '/v1beta/things/m-1:make')).toEqual({
      route: { operation: 'converse', dialect: 'acme', model: 'm-1', stream: false },
      path: '/v1beta/things/m-1:make',
      url: '/v1beta/things/m-1:make',
    });
    expect(routes.match('POST', '/v1/thing/m-1/talk-stream?a=1')).toEqual({
      route: { operation: 'converse', dialect: 'acme', model: 'm-1', stream: true },
      path: '/thing/m-1/talk-stream?a=1',
      url: '/v1/thing/m-1/talk-stream?a=1',
    });
  });

  it('has the framing that its query selects', () => {
    const framing = (query: string) => routes.match('POST', `/v1beta/things/m:streamMake${query}`)?.route.framing;
    expect([framing(''), framing('?alt=sse'), framing('?alt=json')]).toEqual(['json-array', 'sse', 'json-array']);
  });

  it.each([
    ['a:b:make', 'a:b'],
    ['a%3Ab%3Amake', 'a:b'],
    ['a:make:make', 'a:make'],
    ['arn%3Aaws%3Abedrock%2Fp%2fm:make', 'arn:aws:bedrock/p/m'],
    ['%2e%2E.x:make', '...x'],
    ['100%25:make', '100%'],
    ['%2541:make', '%41'],
    ['%E2%9C%93:make', '✓'],
    ['@team/m:make', '@team/m'],
    ['%40team/vendor/m:make', '@team/vendor/m'],
    ['@team%2Fm:make', '@team/m'],
  ])('is decoded once, and only a saved provider may span segments: %s', (segment, model) => {
    expect(routes.match('POST', `/v1beta/things/${segment}`)?.route).toMatchObject({ model, stream: false });
    expect(routes.match('POST', `/v1beta/things/${segment}`)?.problem).toBeUndefined();
  });

  it.each(['@team/vendor/m%25:count', '%40team%2Fvendor%2Fm%25:count'])(
    'with a saved provider is sent to that provider without its name: %s',
    (segment) =>
      expect(routes.match('POST', `/v1beta/things/${segment}?a=1`)).toMatchObject({
        route: { model: '@team/vendor/m%' },
        path: '/v1beta/things/vendor%2Fm%25:count?a=1',
        url: `/v1beta/things/${segment}?a=1`,
      }),
  );

  it('is passed through if several segments do not name a saved provider', () => {
    expect(routes.match('POST', '/v1/v1beta/things/vendor/m:make')?.route).toEqual({ operation: 'opaque' });
    expect(routes.match('POST', '/v1beta/things/vendor/m:make')?.route).toEqual({
      operation: 'opaque',
      dialect: 'gemini',
    });
  });

  it.each([
    ':make',
    '.:make',
    '%2e%2e:make',
    '..:make',
    '@team/.:make',
    '@team%2F..:make',
    '%00:make',
    'a%0Ab:make',
    '%C2%85:make',
    '%ff:make',
    'a%2:make',
    '%2%35:make',
  ])('is rejected in its dialect if it names no model that can be sent: %s', (segment) => {
    const match = routes.match('POST', `/v1/v1beta/things/${segment}`);
    expect(match?.route.dialect).toBe('acme');
    expect(match?.problem?.report).toMatchObject({ code: 'invalid-path', status: 400 });
  });

  it.each([
    '/v1beta/things/../things/m:make',
    '/thing/../talk',
    '/thing/%2e%2e/talk',
    '/thing/a%2f..%2fb/talk',
    '/thing//talk',
  ])('does not exist if it leads upwards, or has no segment for a model: %s', (path) =>
    expect(routes.match('POST', path)).toBeUndefined(),
  );
});

describe('a sibling of a route', () => {
  it('is passed through as a path of its dialect, with any method', () => {
    for (const method of ['POST', 'GET', 'PATCH'])
      expect(routes.match(method, '/v2/count/?a=1')).toEqual({
        route: { operation: 'opaque', dialect: 'acme' },
        path: '/v2/count?a=1',
        url: '/v2/count?a=1',
      });
    expect(routes.match('POST', '/v1/v1beta/things/m:count')?.route).toEqual({
      operation: 'opaque',
      dialect: 'acme',
      model: 'm',
    });
    expect(routes.match('TRACE', '/v2/count')).toBeUndefined();
  });

  it('gives way to a more specific path', () => {
    expect(routes.match('GET', '/v1beta/things/m')?.route).toEqual({
      operation: 'opaque',
      dialect: 'acme',
      model: 'm',
    });
    expect(routes.match('POST', '/v1beta/things/m:make')?.route.operation).toBe('converse');
    expect(routes.match('GET', '/v1beta/things')?.route).toMatchObject({ listsModels: true, dialect: 'acme' });
  });
});

describe('a path with a version', () => {
  it('is the same to conditions, below the base and at the root', () => {
    for (const path of ['/v2/talk', '/v1/v2/talk', '/v1/v1/v2/talk', '/v1/proxy//v2/talk/'])
      expect(routes.match('POST', path)).toEqual({
        route: { operation: 'converse', dialect: 'acme' },
        path: '/v2/talk',
        url: '/v2/talk',
      });
  });

  it('does not repeat the version if it is that of the base', () => {
    for (const path of ['/v1/vectors', '/v1/v1/vectors', '/vectors'])
      expect(routes.match('POST', path)).toMatchObject({
        route: { operation: 'embed' },
        path: '/vectors',
        url: '/v1/vectors',
      });
  });
});

describe('a credential in the query', () => {
  const take = (path: string) => routes.match('POST', path);

  it('is removed from the paths of its dialect, and the rest does not change', () => {
    expect(take('/v1beta/things/m:make?key=k%2B1&b=%63&c')).toMatchObject({
      credential: 'k+1',
      path: '/v1beta/things/m:make?b=%63&c',
      url: '/v1beta/things/m:make?b=%63&c',
    });
    expect(take('/v2/talk?%6bey=a&key=b')).toMatchObject({ credential: 'a', path: '/v2/talk', url: '/v2/talk' });
    expect(take('/v2/count?key=')).toMatchObject({ path: '/v2/count' });
    expect(take('/v1/v1beta/files?x=1&key=a')).toEqual({
      route: { operation: 'opaque' },
      credential: 'a',
      path: '/v1beta/files?x=1',
      url: '/v1/v1beta/files?x=1',
    });
  });

  it('is removed from the list of models, which serves the clients of all dialects', () => {
    const match = routes.match('GET', '/v1/models?limit=5&key=a');
    expect(match).toMatchObject({ credential: 'a', path: '/models?limit=5', url: '/v1/models?limit=5' });
  });

  it('is not recognised on the path of another API', () => {
    for (const path of ['/v1/chat/completions', '/v1/files'])
      expect(take(`${path}?key=a`)).toMatchObject({ path: `${path.slice(3)}?key=a`, url: `${path}?key=a` });
    expect(take('/v1/files?key=a')?.credential).toBeUndefined();
  });

  it('is rejected if it has characters that a header may not have', () => {
    const match = take('/v2/talk?key=a%0d%0ab: c');
    expect(match?.problem?.report.code).toBe('invalid-path');
    expect(JSON.stringify(match?.problem?.report)).not.toContain('b: c');
    expect(match?.credential).toBeUndefined();
  });
});

it('the dialect of an unknown path is that of its first segment, if only one dialect has it', () => {
  expect(routes.dialectAt('/v1beta/nothing')).toBeUndefined();
  expect(routes.dialectAt('/v1/messages/../x')?.id).toBe('messages');
  expect(routes.dialectAt('/v1/v1//%6dessages/')?.id).toBe('messages');
  expect(routes.dialectAt('/elsewhere')).toBeUndefined();
  expect(routes.dialectAt('/models')).toBeUndefined();
});

it('the dialect of an unknown path below a model is that of a path with the same end', () => {
  for (const path of ['/thing/m/talk-stream', '/v1/thing/m/talk', '/thing/a/whole/name/talk/', '/thing/m%2fn/talk'])
    expect(routes.dialectAt(path)?.id, path).toBe('acme');
  for (const path of ['/thing/info', '/thing/talk', '/thing/m/delete', '/thing/m/untalk', '/thing'])
    expect(routes.dialectAt(path), path).toBeUndefined();
  for (const path of ['/model/m/converse', '/model/m/invoke', '/model/m/count-tokens'])
    expect(routes.dialectAt(path)?.id, path).toMatch(/^converse/);
  for (const path of ['/model/info', '/model/new', '/model/m/update'])
    expect(routes.dialectAt(path), path).toBeUndefined();
});

describe('every spelling of a path', () => {
  const model = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((text) => !/\p{Cc}|\p{Cs}/u.test(text) && !/(?:^|[/\\])\.\.?(?:$|[/\\;])/.test(text));
  const prefix = fc.constantFrom('', '/v1', '/v1/v1', '/v1/proxy', '/v1/v1/proxy', '/v1/proxy/v1');
  const gap = fc.constantFrom('/', '/', '//', '/./', '/%2e/', '/%2E//');
  const end = fc.constantFrom('', '', '/', '/.', '//');
  const query = fc.constantFrom('', '?', '?a=%63', '?alt=sse');
  const kind = fc.constantFrom(
    { before: ['v1beta', 'things'], after: ':make', path: [] },
    { before: ['thing'], after: '', path: ['talk'] },
    { before: ['v1beta', 'things'], after: ':count', path: [] },
  );
  /** Percent-encodes some unreserved characters, which changes nothing. */
  const spelt = (text: string, choices: readonly boolean[]): string =>
    text.replace(/%[\dA-F]{2}|[\w.~-]/g, (found, at: number) =>
      found.length === 1 && choices[at % choices.length] === true
        ? `%${found.charCodeAt(0).toString(16).padStart(2, '0')}`
        : found,
    );

  it('matches the same route with the same model', () => {
    fc.assert(
      fc.property(
        fc.record({ model, prefix, gap, end, query, kind, choices: fc.array(fc.boolean(), { minLength: 1 }) }),
        ({ model, prefix, gap, end, query, kind, choices }) => {
          const segments = [...kind.before, encodeURIComponent(model) + kind.after, ...kind.path];
          const plain = `/${segments.join('/')}`;
          const found = routes.match(
            'POST',
            `${prefix}${gap}${segments.map((each) => spelt(each, choices)).join(gap)}${end}${query}`,
          );
          expect(found).toEqual(routes.match('POST', plain + query));
          expect(found?.route).toMatchObject({ dialect: 'acme', model });
          expect(found?.problem).toBeUndefined();
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('matches an absolute path or nothing, whatever it contains', () => {
    const piece = fc.constantFrom(
      '/',
      '//',
      '.',
      '..',
      '%',
      '%2',
      '%2f',
      '%00',
      ':',
      'v1',
      'v1beta',
      'things',
      'thing',
      'talk',
      ':make',
      '{model}',
      '@a',
      '@a/',
      '?',
      'key=',
      '&',
      '#',
      '=',
      'proxy',
      'models',
      '\u{1f600}',
    );
    const start = fc.constantFrom('/', '/v1beta/things/', '/v1/thing/@a/');
    const pieces = fc.array(fc.oneof(piece, fc.string({ unit: 'binary' }), fc.constant('\ud800')), { maxLength: 12 });
    const end = fc.constantFrom('', ':make', '/talk');
    const text = fc.tuple(start, pieces, end).map((parts) => parts.flat().join(''));
    fc.assert(
      fc.property(fc.constantFrom('POST', 'GET', 'TRACE', 'PURGE'), text, (method, url) => {
        const found = routes.match(method, url);
        routes.dialectAt(url);
        expect(found === undefined || found.path.startsWith('/')).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('conflicting routes', () => {
  const made = (parts: Partial<Dialect>, name = 'other-plugin') => {
    const { models: _, routes: __, siblings: ___, ...rest } = patternDialect;
    return () =>
      createRoutes([
        ...builtinPlugins,
        patternPlugin,
        definePlugin({ name, dialects: [{ ...rest, id: 'other', ...parts }] }),
      ]);
  };

  it('are reported with both dialects', () => {
    expect(made({ routes: [{ path: '/chat/completions' }] })).toThrow(
      new PluginError(
        'The route POST /chat/completions is declared twice: by the dialect "chat" of the plugin "gatewright/dialects", and by the dialect "other" of the plugin "other-plugin".',
      ),
    );
    expect(made({ routes: [{ path: '/thing/{model}/talk' }] })).toThrow(
      /"acme" of the plugin "acme-plugin", and by the dialect "other"/,
    );
    expect(made({ routes: [{ path: '/vectors' }] })).toThrow(/^The route POST \/vectors is declared twice/);
    expect(made({ siblings: ['/v2/talk'] })).toThrow(/^The route \/v2\/talk is declared twice/);
    expect(made({ siblings: ['/models'] })).toThrow(/: by the gateway itself, and by the dialect "other"/);
  });

  it.each([
    ['/livez', 'the gateway itself answers at /livez.'],
    ['/readyz/x', 'the gateway itself answers at /readyz.'],
    ['/', 'the gateway itself answers at /.'],
    ['/v1', 'the gateway itself answers at /v1.'],
    ['/v1/prompts/x', 'the gateway itself answers at /prompts.'],
    ['/policies', 'the gateway itself answers at /policies.'],
    ['/proxy/x', 'the gateway itself answers at /proxy.'],
    ['/{model}/x', 'only one segment of it, and not the first, may contain {model}.'],
    ['/x/{model}/{model}', 'only one segment of it, and not the first, may contain {model}.'],
    ['/x/{name}', 'only one segment of it, and not the first, may contain {model}.'],
    ['/x/a{model}', 'only one segment of it, and not the first, may contain {model}.'],
    ['/x//y', 'it is not a path in its plain form.'],
    ['/x/', 'it is not a path in its plain form.'],
    ['/x/../y', 'it is not a path in its plain form.'],
    ['/x?y', 'it is not a path in its plain form.'],
  ] as const)('include those of the gateway itself, and those that nothing can match: %s', (path, why) => {
    expect(made({ routes: [{ path }] })).toThrow(why);
  });

  it('do not include those that differ by method or verb', () => {
    expect(made({ routes: [{ path: '/models' }, { path: '/thing/{model}:talk' }] })).not.toThrow();
  });
});

it('a framing that a plugin fails to choose is an internal error', () => {
  const failing: Dialect = {
    ...patternDialect,
    routes: [
      {
        path: '/x',
        framing: (query) => {
          if (query.get('bad') !== null) throw new TypeError('No such framing.');
          return 'ndjson';
        },
      },
    ],
  };
  const { match } = createRoutes([definePlugin({ name: 'failing', dialects: [failing] })]);
  expect(match('POST', '/x?bad')?.problem?.report.code).toBe('internal-error');
  expect(match('POST', '/x')?.route.framing).toBe('ndjson');
});
