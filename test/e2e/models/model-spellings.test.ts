import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { builtinProviders } from '../../../plugins/providers/builtin-providers.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey, control, makeKey } from '../../support/gateways/stored-gateway.ts';
import { modelWays, type PassedRequest } from '../../support/plans/model-ways.ts';
import { patience } from '../../support/run/patience.ts';
import { isSampled } from '../../support/run/sampled-pairs.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { makePolicy } from '../limits/support/limited-gateway.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;
let key: string;
let manager: string;

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
  const scopes = ['completions.write', 'integrations.update'];
  ({ key: manager = '' } = await control(gateway, 'POST /api-keys/workspace/service', {
    body: { name: 'manager', scopes, workspace_id: 'default' },
  }));
  for (const value of ['limited', 'tunedModels/limited', 'endpoints/limited'])
    await makePolicy(gateway, 'rate-limits', {
      ...{ type: 'requests', unit: 'rpd', value: 0 },
      ...{ conditions: [{ key: 'model', value }], group_by: [{ key: 'model' }] },
    });
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

/** The settings of providers that have no address without them. */
const settingsByProvider: Readonly<Record<string, object>> = {
  'azure-openai': { resource_name: 'mine' },
  bedrock: { cloudc_region: 'us-east-1' },
  'vertex-ai': { cloudb_project_id: 'project', cloudb_region: 'us-central1' },
};

/** The tokens of the providers that exchange their API key for one. */
const credentialByProvider: Readonly<Record<string, object>> = { watsonx: { watsonx_token: 'token' } };

/** All providers except the one that is called without a network. */
const networked = builtinProviders.map(({ id }) => id).filter((id) => id !== 'echo');

/** Sends a request with the key that may manage accounts, so that it is not refused for another reason. */
const send = async ({ path, headers = {}, body }: PassedRequest, slug: string, base = gateway.baseUrl) => {
  const before = upstream.requests.length;
  const answer = await fetch(base + path, {
    method: 'POST',
    headers: { 'x-gw-api-key': manager, 'x-gw-provider': `@${slug}`, ...headers },
    body,
  });
  const [code] = /(?<="code":")[a-z-]+/.exec(await answer.text()) ?? [];
  return { status: answer.status, code, sent: upstream.requests.length - before };
};

const toSlugs = (provider: string) => {
  const name = provider.replace('.', '-');
  return { only: `only-${name}`, open: `open-${name}` };
};

beforeAll(async () => {
  for (const provider of networked) {
    const { only, open } = toSlugs(provider);
    for (const [slug, models] of [
      [only, ['good', 'tunedModels/good', 'endpoints/good']],
      [open, undefined],
    ] as const) {
      const settings = { ...settingsByProvider[provider], custom_host: `${upstream.origin}/v1` };
      const listed = models?.map((model) => ({ slug: model, enabled: true }));
      const credential = credentialByProvider[provider] ?? { api_key: 'sk' };
      await control(gateway, 'POST /integrations', {
        body: { name: slug, slug, provider, credential, settings, ...(listed === undefined ? {} : { models: listed }) },
      });
      await control(gateway, 'POST /providers', { body: { name: slug, slug, integration_id: slug } });
    }
  }
  // If its store takes longer than half a second, a gateway serves what it knew before.
  const last = toSlugs(networked.at(-1) ?? '').open;
  const request = { path: '/x/y?model=good', headers: { 'content-type': 'application/json' }, body: '{}' };
  await vi.waitFor(async () => expect(await send(request, last)).toMatchObject({ sent: 1 }), patience);
}, 180_000);

const notAllowed = { status: 403, code: 'model-not-allowed', sent: 0 };
const limited = { status: 429, code: 'rate-limited', sent: 0 };

describe.each(networked.map((provider, at) => [provider, at] as const))(
  'the model of a request to %s',
  (provider, at) => {
    it('is subject to the model list and to limits, and is logged, however the request names it', async () => {
      const { only, open } = toSlugs(provider);
      const toBad = (name: string): string => `bad-${provider}-${name.replaceAll(' ', '-')}`;
      // Only one provider has every way, and only there is the log read for each of them.
      const tried = modelWays.filter((_, wayAt) => provider === 'openai' || isSampled(at, wayAt, 6));
      for (const { name, ask } of tried) {
        expect({ name, ...(await send(ask(toBad(name)), only)) }).toEqual({ name, ...notAllowed });
        expect({ name, ...(await send(ask('limited'), open)) }).toEqual({ name, ...limited });
        expect({ name, ...(await send(ask('good'), only)) }).toMatchObject({ name, sent: 1 });
      }
      if (provider !== 'openai') return;
      for (const { name, toModel } of modelWays) {
        const model = toModel(toBad(name));
        await expect
          .poll(() => control(gateway, `GET /logs?requested_model=${encodeURIComponent(model)}`))
          .toMatchObject({ data: [{ status: 403, requested_model: model }] });
      }
    });
  },
);

const messages = [{ role: 'user', content: 'Hi' }];

it.each<readonly [provider: string, path: string, body: object]>([
  ['bedrock', '/model/MODEL/invoke', {}],
  ['bedrock', '/model/MODEL/invoke-with-response-stream', {}],
  ['bedrock', '/async-invoke', { modelId: 'MODEL' }],
  ['azure-openai', '/openai/deployments/MODEL/chat/completions?api-version=2024-10-21', { messages }],
  ['azure-openai', '/openai/deployments/MODEL/chat/completions', { model: 'good', messages }],
  ['azure-openai', '/openai/deployments/MODEL/embeddings', { input: 'Hi' }],
  ['azure-openai', '/openai/deployments/MODEL/images/generations?api-version=2024-10-21', { prompt: 'A cat.' }],
  ['openai', '/openai/deployments/MODEL/completions', { prompt: 'Hi' }],
  ['groq', '/openai/v1/chat/completions', { model: 'MODEL', messages }],
  ['cohere', '/v2/embed', { model: 'MODEL', texts: ['Hi'] }],
  ['cohere', '/v1/embed', { model: 'MODEL', texts: ['Hi'] }],
  ['google', '/v1beta/models/MODEL:embedContent', { content: { parts: [{ text: 'Hi' }] } }],
  ['google', '/v1beta/models/MODEL:batchEmbedContents', { requests: [{ content: { parts: [{ text: 'Hi' }] } }] }],
  ['google', '/v1beta/cachedContents', { model: 'models/MODEL' }],
  ['google', '/v1/chat/completions', { model: 'models/MODEL', messages }],
  ['google', '/v1/v1beta/models/MODEL:predict', {}],
  ['google', '/v1beta/models/MODEL:predict', {}],
])('the model list and limits also apply on the own paths of clients of %s: %s %j', async (provider, path, body) => {
  const askFor = (model: string, slug: string) => {
    const text = JSON.stringify(body).replaceAll('MODEL', model);
    const headers = { 'content-type': 'application/json' };
    return send({ path: path.replace('MODEL', model), headers, body: text }, slug, gateway.origin);
  };
  // Not every dialect has a place for an error code.
  expect(await askFor('bad', `only-${provider}`)).toMatchObject({ status: 403, sent: 0 });
  expect(await askFor('limited', `open-${provider}`)).toMatchObject({ status: 429, sent: 0 });
  expect(await askFor('good', `only-${provider}`)).toMatchObject({ sent: 1 });
});

it.each([
  ['/x/y', '{"model":"bad","model":"good"}'],
  ['/x/y', '{"\\u006dodel":"bad","model":"good"}'],
  ['/x/y', '{"model":"good","Model":"bad"}'],
  ['/x/y?model=bad', '{"model":"good"}'],
  ['/deployments/bad/images', '{"model":"good"}'],
  ['/x/y', '{"prompt":"none"}'],
  ['/chat/completions', '{"model":"bad","model":"good","messages":[]}'],
])('a request with an ambiguous model is refused: %s %s', async (path, body) => {
  expect(await ask(path, body)).toMatchObject({ sent: 0 });
});

it('a percent-encoded name is treated as the decoded name, in every path and query', async () => {
  const settings = { custom_host: `${upstream.origin}/v1` };
  await control(gateway, 'POST /integrations', {
    body: { name: 'E', slug: 'encoded', provider: 'openai', key: 'sk', settings },
  });
  await control(gateway, 'POST /providers', { body: { name: 'E', slug: 'encoded', integration_id: 'encoded' } });
  const encoded = (name: string): string => `%${Buffer.from(name.slice(0, 1)).toString('hex')}${name.slice(1)}`;
  for (const toPath of [
    (name: string) => `/deployments/${name}/images/generations`,
    (name: string) => `/model/${name}/invoke`,
    (name: string) => `/engines/${name}/generate`,
    (name: string) => `/models/${name}:predict`,
    (name: string) => `/x/y?model=${name}`,
  ]) {
    const [bad, good, over] = ['bad', 'good', 'limited'].map((name) => toPath(encoded(name)));
    expect([bad, await ask(bad ?? '', '{}')]).toEqual([bad, { status: 403, sent: 0 }]);
    expect([good, await ask(good ?? '', '{}')]).toEqual([good, { status: 200, sent: 1 }]);
    expect([over, await ask(over ?? '', '{}', { 'x-gw-provider': '@encoded' })]).toEqual([
      over,
      { status: 429, sent: 0 },
    ]);
  }
});

it('a key that calls models may not delete a model of a shared account', async () => {
  expect(await ask('/models/good', undefined, {}, 'DELETE')).toEqual({ status: 403, sent: 0 });
});

it('deployments that a config sets are checked, and limits admit only the deployment that the request names', async () => {
  const settings = { resource_name: 'mine', custom_host: `${upstream.origin}/v1` };
  for (const [slug, models] of [
    ['az-only', { models: [{ slug: 'good', enabled: true }] }],
    ['az-open', {}],
  ] as const) {
    const body = { name: slug, slug, provider: 'azure-openai', key: 'sk', settings, ...models };
    await control(gateway, 'POST /integrations', { body });
    await control(gateway, 'POST /providers', { body: { name: slug, slug, integration_id: slug } });
  }
  const chat = async (provider: string, deployment: string) => {
    const before = upstream.requests.length;
    const config = { provider: `@${provider}`, deployment_id: deployment };
    const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'x-gw-api-key': key, 'content-type': 'application/json', 'x-gw-config': JSON.stringify(config) },
      body: JSON.stringify({ model: 'good', messages: [{ role: 'user', content: 'Hi' }] }),
    });
    const [code] = /(?<="code":")[a-z-]+/.exec(await answer.text()) ?? [];
    return { status: answer.status, code, sent: upstream.requests.length - before };
  };
  expect(await chat('az-only', 'bad')).toEqual(notAllowed);
  expect(await chat('az-only', 'good')).toMatchObject({ status: 200, sent: 1 });
  expect(await chat('az-open', 'other')).toEqual({ status: 400, code: 'unclear-model', sent: 0 });
  expect(await chat('az-open', 'good')).toMatchObject({ status: 200, sent: 1 });
});
