import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import {
  type ReceivedRequest,
  startUpstream,
  type TestUpstream,
  type UpstreamHandler,
} from '../../support/servers/upstream-server.ts';
import { anthropicAnswer } from '../../support/vendors/anthropic-wire.ts';
import { awsRefusal } from '../../support/vendors/aws-verifier.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

const secrets = {
  AWS_ID: 'AKIDFORTESTS',
  AWS_SECRET: 'aws-secret-for-tests',
  AWS_SESSION: 'aws-session-for-tests',
  BEDROCK_KEY: 'bedrock-key-for-tests',
  GOOGLE_TOKEN: 'google-token-for-tests',
  AZURE_KEY: 'azure-key-for-tests',
  MISTRAL_KEY: 'mistral-key-for-tests',
};

const converseAnswer = {
  output: { message: { role: 'assistant', content: [{ text: 'hello' }] } },
  stopReason: 'end_turn',
  usage: { inputTokens: 3, outputTokens: 1, totalTokens: 4 },
};

/** Answers in the dialect of the path. */
const answering: UpstreamHandler = (call) => {
  if (/converse$/.test(call.request.path)) call.json(converseAnswer);
  else if (/rawPredict|\/messages$/.test(call.request.path)) call.json(anthropicAnswer({ text: 'hello' }));
  else call.json(openaiAnswer({ text: 'hello' }));
};

const saved = (provider: string, credential: Record<string, string>, settings: object, base = '') => ({
  provider,
  credential: Object.fromEntries(Object.entries(credential).map(([field, name]) => [field, `\${env:${name}}`])),
  settings: { custom_host: upstream.origin + base, ...settings },
});

beforeAll(async () => {
  upstream = await startUpstream(answering);
  const keys = { cloudc_access_key_id: 'AWS_ID', cloudc_secret_access_key: 'AWS_SECRET' };
  const region = { cloudc_region: 'eu-west-1' };
  const vertex = { cloudb_region: 'europe-west4', cloudb_project_id: 'acme' };
  const deployments = [{ alias: 'gpt-4o', deployment_id: 'prod-gpt', api_version: '2024-10-21' }];
  const azure = { api_key: 'AZURE_KEY' };
  gateway = await startGateway({
    files: {
      'gateway.json': {
        providers: {
          bedrock: saved('bedrock', keys, region),
          session: saved('bedrock', { ...keys, cloudc_session_token: 'AWS_SESSION' }, region),
          'bedrock-key': saved('bedrock', { api_key: 'BEDROCK_KEY' }, region),
          vertex: saved('vertex-ai', { api_key: 'GOOGLE_TOKEN' }, vertex),
          azure: saved('azure-openai', azure, { resource_name: 'acme', deployments }, '/openai'),
          undated: saved('azure-openai', azure, { resource_name: 'acme', deployment_id: 'prod-gpt' }, '/openai'),
          serverless: saved('azure-ai', azure, {
            clouda_deployment_type: 'serverless',
            clouda_deployment_name: 'llama',
            clouda_region: 'eastus',
            clouda_api_version: '2024-08-01',
          }),
          mistral: saved('mistral-ai', { api_key: 'MISTRAL_KEY' }, {}, '/v1'),
          google: saved('google', { api_key: 'GOOGLE_TOKEN' }, {}, '/v1beta'),
          cohere: saved('cohere', { api_key: 'GOOGLE_TOKEN' }, {}),
        },
      },
    },
    env: { ...secrets, GW_LOG: 'requests' },
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

let before = 0;
beforeEach(() => {
  upstream.handle(answering);
  before = upstream.requests.length;
});
const received = (): readonly ReceivedRequest[] => upstream.requests.slice(before);
const last = (): ReceivedRequest => upstream.requests.at(-1) ?? expect.unreachable();

const chat = { messages: [{ role: 'user', content: 'hi' }] };
const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** The reason for which AWS would refuse the request. */
const refusal = (request: ReceivedRequest, now = Date.now()): string | undefined =>
  awsRefusal(
    { method: request.method, target: request.path, header: (name) => request.header(name), body: request.body },
    { secrets: { [secrets.AWS_ID]: secrets.AWS_SECRET }, service: 'bedrock', region: 'eu-west-1', now },
  );

const claude = 'eu.anthropic.claude-sonnet-4-5-20250929-v1:0';

describe('bedrock', () => {
  it.each(['/chat/completions', '/messages'])(
    'gets signed requests for a client of %s, and its answer is translated',
    async (path) => {
      const answer = await post(path, { model: `@bedrock/${claude}`, max_tokens: 5, ...chat });
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('hello');
      expect(last().path).toBe(`/model/${encodeURIComponent(claude)}/converse`);
      expect(refusal(last())).toBeUndefined();
      expect(last().json().messages).toEqual([{ role: 'user', content: [{ text: 'hi' }] }]);
    },
  );

  it('is called with an ARN as one segment of the path, which is signed as sent', async () => {
    const arn = 'arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude(x)!';
    await post('/chat/completions', { model: `@bedrock/${arn}`, stream: true, ...chat });
    expect(last().path).toBe(`/model/${encodeURIComponent(arn)}/converse-stream`);
    expect(refusal(last())).toBeUndefined();
  });

  it('gets a new signature for each attempt', async () => {
    upstream.handle((call) => {
      if (received().length === 1) call.json({ message: 'busy' }, { status: 503 });
      else answering(call);
    });
    const config = { provider: '@bedrock', retry: { attempts: 1 }, override_params: { model: claude } };
    const answer = await post('/chat/completions', chat, { 'x-gw-config': JSON.stringify(config) });
    expect(answer.status).toBe(200);
    expect(received().map((request) => refusal(request))).toEqual([undefined, undefined]);
  });

  it('gets the session token of temporary keys, signed', async () => {
    await post('/chat/completions', { model: `@session/${claude}`, ...chat });
    expect(last().header('x-amz-security-token')).toBe(secrets.AWS_SESSION);
    expect(refusal(last())).toBeUndefined();
  });

  it('gets an API key as a bearer token', async () => {
    await post('/chat/completions', { model: `@bedrock-key/${claude}`, ...chat });
    expect(last().header('authorization')).toBe(`Bearer ${secrets.BEDROCK_KEY}`);
    expect(last().header('x-amz-date')).toBeUndefined();
  });

  it('gets a passed-through body signed as a whole, with query and path', async () => {
    const config = JSON.stringify({ provider: '@bedrock' });
    const body = 'x'.repeat(300_000);
    await fetch(`${gateway.baseUrl}/model/amazon.titan%3A0/invoke?b=2&a=1%20%2F`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain', 'x-gw-config': config },
      body,
    });
    expect(last()).toMatchObject({ method: 'POST', path: '/model/amazon.titan%3A0/invoke?b=2&a=1%20%2F' });
    expect(last().text()).toBe(body);
    expect(refusal(last())).toBeUndefined();
    await fetch(`${gateway.baseUrl}/async-invoke?maxResults=1`, { headers: { 'x-gw-config': config } });
    expect(last().method).toBe('GET');
    expect(refusal(last())).toBeUndefined();
  });

  it('gets its keys and its region from headers', async () => {
    await post(
      '/chat/completions',
      { model: claude, ...chat },
      {
        'x-gw-provider': 'cloudc',
        'x-gw-custom-host': upstream.origin,
        'x-gw-cloudc-access-key-id': secrets.AWS_ID,
        'x-gw-cloudc-secret-access-key': secrets.AWS_SECRET,
        'x-gw-cloudc-region': 'eu-west-1',
        authorization: 'Bearer placeholder-of-a-client',
      },
    );
    expect(refusal(last())).toBeUndefined();
    expect(last().head).not.toContain('placeholder');
    expect(last().head.toLowerCase()).not.toContain('x-gw-');
  });
});

describe('vertex-ai', () => {
  const place = '/v1/projects/acme/locations/europe-west4';

  it("gets the request of an Anthropic client in the platform's own form", async () => {
    const answer = await post('/messages', { model: '@vertex/claude-opus-4@1', max_tokens: 5, top_k: 3, ...chat });
    expect(answer.status).toBe(200);
    expect(last().path).toBe(`${place}/publishers/anthropic/models/claude-opus-4%401:rawPredict`);
    expect(last().json()).toEqual({ max_tokens: 5, top_k: 3, ...chat, anthropic_version: 'vertex-2023-10-16' });
    expect(last().header('authorization')).toBe(`Bearer ${secrets.GOOGLE_TOKEN}`);
  });

  it('gets the same form for a client of another dialect, and streams at another path', async () => {
    await post('/chat/completions', { model: '@vertex/anthropic.claude-x', max_tokens: 5, stream: true, ...chat });
    expect(last().path).toBe(`${place}/publishers/anthropic/models/claude-x:streamRawPredict`);
    expect(last().json()).toMatchObject({ stream: true, anthropic_version: 'vertex-2023-10-16' });
    expect(last().json()).not.toHaveProperty('model');
  });

  it('gets the maker of an open model in the body', async () => {
    const answer = await post('/messages', { model: '@vertex/meta.llama-3.3-70b', max_tokens: 5, ...chat });
    expect(await answer.text()).toContain('hello');
    expect(last().path).toBe(`${place}/endpoints/openapi/chat/completions`);
    expect(last().json()).toMatchObject({ model: 'meta/llama-3.3-70b' });
  });
});

describe('azure', () => {
  it('is called at the deployment of the model', async () => {
    await post('/chat/completions', { model: '@azure/gpt-4o', ...chat });
    expect(last().path).toBe('/openai/deployments/prod-gpt/chat/completions?api-version=2024-10-21');
    expect(last().header('api-key')).toBe(secrets.AZURE_KEY);
    expect(last().header('authorization')).toBeUndefined();
  });

  it('gets the deployment in the body if the API version has no date', async () => {
    await post('/messages', { model: '@undated/gpt-4o', max_tokens: 5, ...chat });
    expect(last().path).toBe('/openai/v1/chat/completions');
    expect(last().json().model).toBe('prod-gpt');
  });

  it('drops parameters that a model of Foundry does not support', async () => {
    await post('/chat/completions', { model: '@serverless/llama', ...chat });
    expect(last().path).toBe('/chat/completions?api-version=2024-08-01');
    expect(last().header('extra-parameters')).toBe('drop');
    expect(last().header('authorization')).toBe(`Bearer ${secrets.AZURE_KEY}`);
  });

  it('is called for the files and images of a Foundry resource at their own paths', async () => {
    const headers = {
      ...{ 'x-gw-provider': 'azure-ai', 'x-gw-custom-host': upstream.origin, authorization: 'Bearer own' },
      'x-gw-clouda-foundry-url': 'https://acme.services.ai.azure.com',
    };
    await fetch(`${gateway.baseUrl}/files?purpose=batch`, { headers });
    expect(last().path).toBe('/openai/v1/files?purpose=batch');
    expect(last().header('api-key')).toBe('own');
    await post('/images/generations', { model: 'gpt-image-1', prompt: 'a cat' }, headers);
    expect(last().path).toBe('/openai/v1/images/generations');
  });

  it('accepts a token from a header', async () => {
    await post(
      '/chat/completions',
      { model: 'gpt-4o', ...chat },
      { 'x-gw-provider': 'clouda', 'x-gw-custom-host': upstream.origin, 'x-gw-clouda-ad-token': 'a-given-token' },
    );
    expect(last().path).toBe('/v1/chat/completions');
    expect(last().header('authorization')).toBe('Bearer a-given-token');
  });
});

describe('other providers', () => {
  it('mistral-ai gets its own parameter names', async () => {
    await post('/chat/completions', { model: '@mistral/mistral-small', seed: 7, tool_choice: 'required', ...chat });
    expect(last().json()).toEqual({ model: 'mistral-small', random_seed: 7, tool_choice: 'any', ...chat });
  });

  it('google never gets a key in the query', async () => {
    await fetch(`${gateway.baseUrl}/v1beta/cachedContents?key=theirs&pageSize=1`, {
      headers: { 'x-gw-config': '{"provider":"@google"}' },
    });
    expect(last().path).toBe('/v1beta/cachedContents?pageSize=1');
    expect(last().header('x-goog-api-key')).toBe(secrets.GOOGLE_TOKEN);
  });

  it('cohere is called at the version that the client wrote', async () => {
    await post('/v2/rerank', {}, { 'x-gw-config': '{"provider":"@cohere"}' });
    expect(last().path).toBe('/v2/rerank');
    await post('/rerank', {}, { 'x-gw-config': '{"provider":"@cohere"}' });
    expect(last().path).toBe('/v1/rerank');
  });
});

describe('a credential that a provider refuses', () => {
  it.each([
    [
      `@bedrock/${claude}`,
      403,
      { message: 'The security token included in the request is invalid.' },
      'security token',
    ],
    [
      '@vertex/meta.llama',
      401,
      [{ error: { code: 401, message: 'No valid token', status: 'UNAUTHENTICATED' } }],
      'No valid token',
    ],
    ['@azure/gpt-4o', 401, { error: { code: '401', message: 'Access denied due to invalid key' } }, 'Access denied'],
    ['@undated/gpt-4o', 401, { statusCode: 401, message: 'Unauthorized. Access token is missing' }, 'Unauthorized'],
    ['@mistral/mistral-small', 401, { message: 'Unauthorized', request_id: 'r' }, 'Unauthorized'],
  ])('of %s is a %i in the common form of errors', async (model, status, body, message) => {
    upstream.handle((call) => call.json(body, { status }));
    const answer = await post('/chat/completions', { model, ...chat });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({
      error: { message: expect.stringContaining(message) },
    });
  });
});

describe('secrets', () => {
  it('never appear in a URL or in printed output', () => {
    const urls = upstream.requests.map(({ path }) => path).join('\n');
    for (const secret of [...Object.values(secrets), 'a-given-token']) {
      expect(gateway.printed()).not.toContain(secret);
      expect(urls).not.toContain(secret);
    }
    expect(gateway.records().length).toBeGreaterThan(10);
  });
});
