import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../../plugins/dialects/builtin-dialects.ts';
import { builtinProviders } from '../../../../plugins/providers/builtin-providers.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { type OperationSample, operationSamples } from '../../../operations-table/samples.ts';
import { savedProviders, secrets, toSlug } from '../../../providers-table/saved-providers.ts';
import { type GatewayProcess, startGateway } from '../../../support/gateways/gateway-process.ts';
import { isSampled } from '../../../support/run/sampled-pairs.ts';
import { type ScriptedAnswer, startUpstream, type TestUpstream } from '../../../support/servers/upstream-server.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startGateway({
    files: { 'gateway.json': { providers: savedProviders(builtinProviders, upstream.origin) } },
    env: secrets,
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const post = (path: string, config: JsonObject, body: JsonObject | FormData): Promise<Response> =>
  fetch(`${gateway.origin}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      ...(body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      'x-gw-config': JSON.stringify(config),
    },
    body: body instanceof FormData ? body : JSON.stringify(body),
  });

const target = ({ provider, settings }: OperationSample): JsonObject => ({
  ...{ provider, api_key: 'k', custom_host: upstream.origin },
  ...settings,
  cache: { mode: 'simple' },
});

/** Bodies that have status 200 and are not an answer, by name. */
const empty: Readonly<Record<string, JsonObject>> = {
  nothing: {},
  'a message': { message: 'The service is overloaded.' },
  'a detail': { detail: 'Too many requests.' },
  'a status': { status: 429, id: 'x', object: 'list', model: 'm', created: 1 },
};

const clients = builtinDialects.flatMap(({ id, routes }) => {
  const [route] = routes ?? [];
  const sample = operationSamples[id];
  if (route === undefined || sample === undefined) return [];
  const path = route.path.replace('{model}', sample.model ?? 'm');
  return [[id, { path: path.startsWith('/v') ? path : `/v1${path}`, sample }] as const];
});

describe.each(clients)('a 200 for the dialect %s', (id, { path, sample }) => {
  it('is cached if it is an answer', async () => {
    upstream.handle((call) => {
      const answer = sample.answer('hello');
      if (Buffer.isBuffer(answer)) call.answer({ headers: { 'content-type': 'audio/mpeg' }, body: answer });
      else call.json(answer);
    });
    const ask = async (): Promise<string | null> => {
      const answer = await post(path, target(sample), sample.request(`kept of ${id}`));
      await answer.arrayBuffer();
      return answer.headers.get('x-gw-cache-status');
    };
    const first = await ask();
    expect(await ask()).toBe(first === 'MISS' ? 'HIT' : first);
  });

  it.each(Object.entries(empty))('is not cached if its body is %s', async (name, body) => {
    upstream.handle((call) => call.json(body));
    for (let asked = 0; asked < 2; asked += 1) {
      const before = upstream.requests.length;
      const answer = await post(path, target(sample), sample.request(`${name} of ${id}`));
      await answer.arrayBuffer();
      expect(answer.headers.get('x-gw-cache-status')).not.toBe('HIT');
      expect(upstream.requests.length).toBe(before + 1);
    }
  });
});

it('does not cache a list with fewer vectors than texts', async () => {
  const sample = operationSamples.embeddings ?? expect.unreachable();
  upstream.handle((call) => call.json(sample.answer('')));
  for (let asked = 0; asked < 2; asked += 1) {
    const answer = await post('/v1/embeddings', target(sample), { model: 'm', input: ['one', 'two'] });
    expect(answer.headers.get('x-gw-cache-status')).toBe('MISS');
  }
});

/** Errors as gateways and proxies in front of a provider write them. */
const errors: readonly ScriptedAnswer[] = [
  { status: 400, body: '' },
  { status: 400, body: 'not JSON' },
  { status: 401, headers: { 'content-type': 'text/html' }, body: '<html>Sign in.</html>' },
  { status: 429, headers: { 'content-type': 'application/json' }, body: '{"error":' },
  { status: 502, headers: { 'content-type': 'text/html' }, body: '<html>Bad gateway</html>' },
  { status: 503, body: '[]' },
  { status: 302, body: '' },
  { status: 404, headers: { 'content-type': 'application/json' }, body: `${'['.repeat(5000)}${']'.repeat(5000)}` },
];

const chatting = builtinProviders.filter(
  ({ speaks, inProcess }) => speaks.chat !== undefined && inProcess === undefined,
);

it.each(chatting.map((provider, at) => [provider.id, provider, at] as const))(
  'keeps the status of an error of %s if its body is not JSON',
  async (_id, provider, providerAt) => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'Hi.' }] };
    for (const error of errors.filter((_, at) => isSampled(providerAt, at, 4))) {
      upstream.handle((call) => call.answer(error));
      const answer = await post('/v1/chat/completions', { provider: `@${toSlug(provider)}` }, body);
      expect([answer.status, await answer.text()]).toEqual([
        error.status,
        expect.not.stringContaining('internal error'),
      ]);
    }
  },
);
