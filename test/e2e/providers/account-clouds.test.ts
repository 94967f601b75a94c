import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import {
  type ReceivedRequest,
  startUpstream,
  type TestUpstream,
  type UpstreamHandler,
} from '../../support/servers/upstream-server.ts';
import { awsRefusal } from '../../support/vendors/aws-verifier.ts';
import { ociRefusal } from '../../support/vendors/oci-verifier.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'pass-phrase-for-tests' },
});

const secrets = {
  TOKEN: 'token-for-tests',
  AWS_ID: 'AKIDFORTESTS',
  AWS_SECRET: 'aws-secret-for-tests',
  OCI_KEY: privateKey,
  OCI_PHRASE: 'pass-phrase-for-tests',
};

const streamed: UpstreamHandler = (call) => {
  const events = call.sse();
  const chunk = (choice: object, more: object = {}): void =>
    events.frame({ id: 'c', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, ...choice }], ...more });
  chunk({ delta: { role: 'assistant', content: 'hel' }, finish_reason: null });
  chunk({ delta: { content: 'lo' }, finish_reason: 'stop' });
  events.frame({
    ...{ id: 'c', object: 'chat.completion.chunk', model: 'm', choices: [] },
    usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
  });
  events.end();
};

/** Every service answers in OpenAI's format. watsonx streams on a path of its own, the others if the body requests it. */
const answering: UpstreamHandler = (call) => {
  const { method, path } = call.request;
  const isStream = path.includes('chat_stream') || (method === 'POST' && call.request.json().stream === true);
  if (isStream) streamed(call);
  else call.json(openaiAnswer({ text: 'hello' }));
};

let gateway: GatewayProcess;
let upstream: TestUpstream;
beforeAll(async () => {
  upstream = await startUpstream(answering);
  const saved = (provider: string, credential: Record<string, string>, settings: object, base = ''): object => ({
    provider,
    credential: Object.fromEntries(Object.entries(credential).map(([field, name]) => [field, `\${env:${name}}`])),
    settings: { custom_host: upstream.origin + base, ...settings },
  });
  const token = { api_key: 'TOKEN' };
  const ofKey = { oracle_tenancy: 'ocid1.tenancy', oracle_user: 'ocid1.user', oracle_fingerprint: 'aa:bb' };
  gateway = await startGateway({
    files: {
      'gateway.json': {
        providers: {
          sagemaker: saved(
            'sagemaker',
            { cloudc_access_key_id: 'AWS_ID', cloudc_secret_access_key: 'AWS_SECRET' },
            { cloudc_region: 'eu-west-1' },
          ),
          oracle: saved(
            'oracle',
            { oracle_private_key: 'OCI_KEY', oracle_key_passphrase: 'OCI_PHRASE' },
            { ...ofKey, oracle_region: 'eu-frankfurt-1', oracle_compartment_id: 'ocid1.compartment' },
            '/openai/v1',
          ),
          'oracle-key': saved('oracle', token, { oracle_region: 'eu-frankfurt-1' }, '/openai/v1'),
          watsonx: saved('watsonx', { watsonx_token: 'TOKEN' }, { watsonx_project_id: 'p-1' }, '/ml/v1'),
          cortex: saved('cortex', token, { snowflake_account: 'acme-main' }, '/api/v2/cortex/v1'),
          predibase: saved('predibase', token, { predibase_tenant_id: 'acme' }, '/acme'),
          cloudflare: saved('cloudflare', token, { workers_ai_gateway_id: 'mine' }, '/client/v4/accounts/a/ai'),
        },
      },
    },
    args: ['--config', 'gateway.json'],
    env: { ...secrets, GW_LOG: 'requests' },
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});
beforeEach(() => upstream.handle(answering));

const last = (): ReceivedRequest => upstream.requests.at(-1) ?? expect.unreachable();
const chat = { messages: [{ role: 'user' as const, content: 'hi' }] };
const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const from = (provider: string): Record<string, string> => ({ 'x-gw-config': JSON.stringify({ provider }) });

/** The model name for each service, the paths of whole and streamed calls, and the members of the body that name the model. */
const calls: readonly (readonly [model: string, path: string, streamedAt: string, expected: object])[] = [
  [
    '@sagemaker/llms/llama',
    '/endpoints/llms/inference-components/llama/openai/v1/chat/completions',
    '/endpoints/llms/inference-components/llama/openai/v1/chat/completions',
    { model: '' },
  ],
  ['@oracle/xai.grok-4', '/openai/v1/chat/completions', '/openai/v1/chat/completions', { model: 'xai.grok-4' }],
  [
    '@watsonx/ibm/granite-4',
    '/ml/v1/text/chat?version=2024-10-08',
    '/ml/v1/text/chat_stream?version=2024-10-08',
    { model_id: 'ibm/granite-4', project_id: 'p-1' },
  ],
  [
    '@cortex/llama4-maverick',
    '/api/v2/cortex/v1/chat/completions',
    '/api/v2/cortex/v1/chat/completions',
    { model: 'llama4-maverick' },
  ],
  [
    '@predibase/qwen3-8b:mine/1',
    '/acme/deployments/v2/llms/qwen3-8b/v1/chat/completions',
    '/acme/deployments/v2/llms/qwen3-8b/v1/chat/completions',
    { model: 'mine/1' },
  ],
  [
    '@cloudflare/@cf/meta/llama-3.1-8b-instruct',
    '/client/v4/accounts/a/ai/v1/chat/completions',
    '/client/v4/accounts/a/ai/v1/chat/completions',
    { model: '@cf/meta/llama-3.1-8b-instruct' },
  ],
];

describe.each(calls)('%s', (model, path, streamedAt, expected) => {
  it("is called at its own path by OpenAI's client, whole and streamed", async () => {
    const client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: 'unused', maxRetries: 0 });
    const answer = await client.chat.completions.create({ model, ...chat });
    expect(answer.choices[0]?.message.content).toBe('hello');
    expect(last().path).toBe(path);
    const { messages, ...members } = last().json();
    expect([messages, members]).toEqual([chat.messages, expected]);
    let text = '';
    for await (const chunk of await client.chat.completions.create({ model, stream: true, ...chat }))
      text += chunk.choices[0]?.delta.content ?? '';
    expect([text, last().path]).toEqual(['hello', streamedAt]);
  });

  it('serves clients of another format by translation, whole and streamed', async () => {
    const ask = (verb: string): Promise<Response> =>
      fetch(`${gateway.origin}/v1beta/models/${encodeURIComponent(model)}:${verb}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          systemInstruction: { parts: [{ text: 'Be short.' }] },
          contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
        }),
      });
    const whole = await ask('generateContent');
    expect([whole.status, await whole.json()]).toMatchObject([
      200,
      { candidates: [{ content: { parts: [{ text: 'hello' }] } }] },
    ]);
    expect(last().path).toBe(path);
    expect(last().json()).toMatchObject({ ...expected, messages: [{ role: 'system' }, { role: 'user' }] });
    const text = await (await ask('streamGenerateContent?alt=sse')).text();
    expect(text).toContain('"finishReason":"STOP"');
    expect(text).toContain('"candidatesTokenCount":1');
    expect(last().path).toBe(streamedAt);
  });
});

describe('sagemaker', () => {
  const decoded = (request: ReceivedRequest): URL => {
    const [, token = ''] = /^Bearer sagemaker-api-key-(.+)$/.exec(request.header('authorization') ?? '') ?? [];
    return new URL(`https://${Buffer.from(token, 'base64').toString()}`);
  };

  it('gets a bearer token for its region on OpenAI-compatible paths', async () => {
    await post('/chat/completions', { model: '@sagemaker/llama', ...chat });
    const { host, searchParams } = decoded(last());
    expect(host).toBe('sagemaker.amazonaws.com');
    expect(searchParams.get('Action')).toBe('CallWithBearerToken');
    expect(searchParams.get('X-Amz-Credential')).toMatch(
      new RegExp(`^${secrets.AWS_ID}/\\d{8}/eu-west-1/sagemaker/aws4_request$`),
    );
  });

  it('gets a signature on every other path', async () => {
    await post('/endpoints/llama/invocations', { inputs: 'hi' }, from('@sagemaker'));
    const request = last();
    const verifier = { service: 'sagemaker', region: 'eu-west-1', now: Date.now() };
    expect(request.path).toBe('/endpoints/llama/invocations');
    expect(
      awsRefusal(
        { method: request.method, target: request.path, header: (name) => request.header(name), body: request.body },
        { secrets: { [secrets.AWS_ID]: secrets.AWS_SECRET }, ...verifier },
      ),
    ).toBeUndefined();
  });
});

describe('oracle', () => {
  const refusal = (request: ReceivedRequest): string | undefined =>
    ociRefusal(
      { method: request.method, target: request.path, header: (name) => request.header(name), body: request.body },
      { keys: { 'ocid1.tenancy/ocid1.user/aa:bb': createPublicKey(publicKey) }, now: Date.now() },
    );

  it('gets signed requests, including those without a body', async () => {
    await post('/chat/completions', { model: '@oracle/xai.grok-4', ...chat });
    expect(refusal(last())).toBeUndefined();
    for (const name of ['opc-compartment-id', 'compartmentid']) expect(last().header(name)).toBe('ocid1.compartment');
    await fetch(`${gateway.baseUrl}/files?limit=2`, { headers: from('@oracle') });
    expect([last().method, last().path, refusal(last())]).toEqual(['GET', '/openai/v1/files?limit=2', undefined]);
    await fetch(`${gateway.baseUrl}/files/f`, { method: 'DELETE', headers: from('@oracle') });
    expect([last().method, refusal(last())]).toEqual(['DELETE', undefined]);
  });

  it('accepts an API key as a bearer token', async () => {
    await post('/chat/completions', { model: '@oracle-key/xai.grok-4', ...chat });
    expect(last().header('authorization')).toBe(`Bearer ${secrets.TOKEN}`);
  });
});

describe('cortex', () => {
  it('serves Claude models in the format of Anthropic', async () => {
    await post('/messages', { model: '@cortex/claude-sonnet-4-5', max_tokens: 5, ...chat });
    expect(last().path).toBe('/api/v2/cortex/v1/messages');
  });
});

describe('cloudflare', () => {
  it('gets the gateway of the account in a header, and passes model runs through', async () => {
    await post('/run/@cf/black-forest-labs/flux-1-schnell', { prompt: 'a' }, from('@cloudflare'));
    expect(last().path).toBe('/client/v4/accounts/a/ai/run/@cf/black-forest-labs/flux-1-schnell');
    expect([last().header('cf-aig-gateway-id'), last().header('authorization')]).toEqual([
      'mine',
      `Bearer ${secrets.TOKEN}`,
    ]);
  });
});

describe('an error that a service writes in its own form', () => {
  it.each([
    [
      '@cloudflare/@cf/x',
      { result: null, success: false, errors: [{ code: 7003, message: 'Could not route' }] },
      '7003',
    ],
    [
      '@watsonx/ibm/granite-4',
      { errors: [{ code: 'model_not_supported', message: 'Model is not supported' }], trace: 't', status_code: 404 },
      'model_not_supported',
    ],
    ['@oracle/m', { code: 'NotAuthorizedOrNotFound', message: 'Not found' }, 'NotAuthorizedOrNotFound'],
    ['@cortex/m', { code: '390303', message: 'Invalid OAuth access token.' }, '390303'],
    ['@sagemaker/m', { Message: 'Endpoint m not found.' }, null],
    ['@predibase/m', { detail: 'no such deployment' }, null],
  ])('of %s keeps its message and its code in the form of OpenAI', async (model, body, code) => {
    upstream.handle((call) => call.json(body, { status: 404 }));
    const answer = await post('/chat/completions', { model, ...chat });
    const { error } = (await answer.json()) as { error: { message: string; code: unknown } };
    expect([answer.status, error.code]).toEqual([404, code]);
    expect(JSON.stringify(body)).toContain(error.message);
    const translated = await post('/messages', { model, max_tokens: 5, ...chat });
    expect(await translated.json()).toMatchObject({ type: 'error', error: { message: error.message } });
  });
});

describe('secrets', () => {
  it('never appear in a URL or in printed output', () => {
    const urls = upstream.requests.map(({ path }) => path).join('\n');
    for (const secret of Object.values(secrets)) {
      expect(gateway.printed()).not.toContain(secret);
      expect(urls).not.toContain(secret);
    }
  });
});
