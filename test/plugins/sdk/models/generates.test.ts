import { expect, it } from 'vitest';
import { builtinPlugins } from '../../../../plugins/builtin.ts';
import { declaredRows } from '../../../../plugins/control/control-routes.ts';
import { generates } from '../../../../plugins/sdk/models/generates.ts';
import { declaredRoutes } from '../../../../runtime/route-matching/declared-routes.ts';
import { createRoutes } from '../../../../runtime/route-matching/routes.ts';

const { match } = createRoutes(builtinPlugins);

const generating = (method: string, url: string, headers: readonly string[] = []): boolean => {
  const { route, path } = match(method, url) ?? {};
  if (route === undefined || path === undefined) throw new Error(`${method} ${url} is no endpoint.`);
  return generates({ route, request: { method, path, headers, body: { kind: 'none' } } });
};

const filled = (path: string): string => path.replace(/\{[^}]*\}/g, 'x');

it('generates is true for every modelled route and false only for routes that list models, count tokens or open a connection for requests', () => {
  const declared = declaredRoutes(builtinPlugins);
  const free = declared.filter(({ method, path }) => !generating(method ?? 'POST', `/v1${filled(path)}`));
  expect([...new Set(free.map(({ method = 'POST', path }) => `${method} ${path}`))].toSorted()).toEqual([
    'GET /models',
    'GET /models/{model}',
    'GET /responses',
    'GET /v1beta/models',
    'GET /v1beta/models/{model}',
    'POST /messages/count_tokens',
    'POST /model/{model}/count-tokens',
    'POST /models/{model}:countTokens',
    'POST /responses/input_tokens',
    'POST /v1beta/models/{model}:countTokens',
  ]);
  const modelled = declared.filter(({ route }) => route.operation !== 'opaque' && route.operation !== 'count');
  expect(modelled.length).toBeGreaterThan(10);
  for (const { path } of modelled) expect(generating('POST', `/v1${filled(path)}`), path).toBe(true);
});

it('generates is true only for the file, batch, job and response routes that start work', () => {
  const rows = declaredRows().filter(({ shared }) => shared === true);
  const begin = rows.filter(({ method, path }) => generating(method, `/v1${filled(path)}`));
  expect(begin.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
    'POST /batches',
    'POST /fine_tuning/jobs',
    'POST /responses',
  ]);
  expect(rows.length).toBeGreaterThan(15);
});

it.each<readonly [string, boolean]>([
  ['POST /v1/images/generations', true],
  ['POST /v1/audio/speech', true],
  ['POST /v1/something/new', true],
  ['PUT /v1/something/new', true],
  ['POST /v1/threads/t/runs', true],
  ['POST /v1/threads/t/runs/r/submit_tool_outputs', true],
  ['POST /v1/threads/t/runs/r/cancel', false],
  ['POST /v1/messages/batches/b/cancel', false],
  ['POST /v1/projects/p/batchPredictionJobs/j:cancel', false],
  ['POST /v1/model-invocation-job/j/stop', false],
  ['POST /v1/complete', true],
  ['POST /v1/cancel', true],
  ['POST /v1/uploads', false],
  ['GET /v1/models/m', false],
  ['DELETE /v1/responses/r', false],
])('generates, for %s, is %s', (line, expected) => {
  const [method = '', url = ''] = line.split(' ');
  expect(generating(method, url)).toBe(expected);
});

it('generates is true for a GET request whose method is overridden by a header', () => {
  expect(generating('GET', '/v1/images/generations', ['X-HTTP-Method-Override', 'POST'])).toBe(true);
});
