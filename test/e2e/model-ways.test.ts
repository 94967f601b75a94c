import { afterAll, beforeAll, expect, it } from 'vitest';
import { bodyWays } from '../../plugins/sdk/models/body-models.ts';
import { headerWays } from '../../plugins/sdk/models/header-models.ts';
import { pathWays } from '../../plugins/sdk/models/path-models.ts';
import { queryWays } from '../../plugins/sdk/models/query-models.ts';
import { type GatewayProcess, startGateway } from '../support/gateway-process.ts';
import { adminKey, control, makeKey } from '../support/stored-gateway.ts';
import { startUpstream, type TestUpstream } from '../support/upstream-server.ts';
import { openaiAnswer } from '../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;
let key: string;

beforeAll(async () => {
  upstream = await startUpstream((call) => call.json(openaiAnswer({ text: 'hello' })));
  gateway = await startGateway({
    files: { 'gateway.json': { store: { url: 'gateway.db' }, trusted_hosts: ['127.0.0.1'] } },
    env: { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') },
  });
  const settings = { custom_host: `${upstream.origin}/v1` };
  const models = ['good', 'tunedModels/good', 'endpoints/good'].map((slug) => ({ slug, enabled: true }));
  const integration = { name: 'S', slug: 's', provider: 'openai', key: 'sk', settings, models };
  await control(gateway, 'POST /integrations', { body: integration });
  await control(gateway, 'POST /providers', { body: { name: 'A', slug: 'a', integration_id: 's' } });
  ({ key } = await makeKey(gateway, 'ways'));
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const ask = async (path: string, body?: string, headers: Record<string, string> = {}, method = 'POST') => {
  const before = upstream.requests.length;
  const answer = await fetch(`${gateway.baseUrl}${path}`, {
    method,
    headers: { 'x-gw-api-key': key, 'x-gw-provider': '@a', 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body }),
  });
  await answer.text();
  return { status: answer.status, sent: upstream.requests.length - before };
};

type Way = readonly [name: string, call: (model: string) => ReturnType<typeof ask>];

const ways: readonly Way[] = [
  ...pathWays.map(({ before }): Way => [`path ${before}`, (model) => ask(`/x/${before}/${model}/invoke`, '{}')]),
  ...[...queryWays].map((name): Way => [`query ${name}`, (model) => ask(`/x/y?${name}=${model}`, '{}')]),
  ...[...headerWays].map((name): Way => [`header ${name}`, (model) => ask('/x/y', '{}', { [name]: model })]),
  ...[...bodyWays].map((name): Way => [`body ${name}`, (model) => ask('/x/y', JSON.stringify({ [name]: model }))]),
  ['session', (model) => ask('/realtime/sessions', JSON.stringify({ session: { model } }))],
  [
    'lines',
    (model) => ask('/x/y', `{"model":"${model}"}\n{"model":"${model}"}\n`, { 'content-type': 'application/x-ndjson' }),
  ],
];

it.each(ways)('a list judges the model named by %s', async (_, call) => {
  expect(await call('bad')).toEqual({ status: 403, sent: 0 });
  expect(await call('good')).toEqual({ status: 200, sent: 1 });
});

it.each([
  ['/x/y', '{"model":"bad","model":"good"}'],
  ['/x/y', '{"\\u006dodel":"bad","model":"good"}'],
  ['/x/y', '{"model":"good","Model":"bad"}'],
  ['/x/y?model=bad', '{"model":"good"}'],
  ['/deployments/bad/images', '{"model":"good"}'],
  ['/x/y', '{"prompt":"none"}'],
  ['/chat/completions', '{"model":"bad","model":"good","messages":[]}'],
])('what is not clear is refused: %s %s', async (path, body) => {
  expect(await ask(path, body)).toMatchObject({ sent: 0 });
});

it('to delete a model of a shared account is no right of a key that calls models', async () => {
  expect(await ask('/models/good', undefined, {}, 'DELETE')).toEqual({ status: 403, sent: 0 });
});
