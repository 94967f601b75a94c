import { BedrockRuntimeClient, InvokeModelCommand } from '@aws-sdk/client-bedrock-runtime';
import { GoogleGenAI } from '@google/genai';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { CohereClientV2 } from 'cohere-ai';
import OpenAI, { AzureOpenAI } from 'openai';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

/** Answers by the end of the path, as the vendors do. */
const answers: readonly (readonly [RegExp, object])[] = [
  [/\/v2\/embed$/, { id: 'e', embeddings: { float: [[0.5]] }, texts: ['Hi'], meta: {} }],
  [/\/v2\/rerank$/, { id: 'r', results: [{ index: 1, relevance_score: 0.9 }] }],
  [/\/invoke$/, { completion: 'Hello.' }],
  [/\/cachedContents$/, { name: 'cachedContents/c-1', model: 'models/gemini-2.5-flash' }],
  [/\/files\/f-1$/, { name: 'files/f-1', state: 'ACTIVE' }],
  [/\/chat\/completions(?:\?|$)/, openaiAnswer({ text: 'hello' })],
  [/\/images\/generations(?:\?|$)/, { created: 1, data: [{ url: 'https://example.com/i.png' }] }],
  [/./, { ok: true }],
];

const toHeaders = (provider: string, settings: object = {}): Record<string, string> => ({
  'x-gw-config': JSON.stringify({ provider, api_key: 'callers-own', custom_host: upstream.origin, ...settings }),
});

const azure = { resource_name: 'mine', api_version: '2024-10-21' };

const ask = (path: string, provider: string, body: object = {}, settings: object = {}): Promise<Response> =>
  fetch(`${gateway.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...toHeaders(provider, settings) },
    body: JSON.stringify(body),
  });

const sentBody = (): unknown => JSON.parse(upstream.requests.at(-1)?.text() ?? '');
const sentPath = (): string | undefined => upstream.requests.at(-1)?.path;

beforeAll(async () => {
  [gateway, upstream] = await Promise.all([
    startGateway(),
    startUpstream((call) => {
      const { path } = call.request;
      const location = `${upstream.origin}/google/upload/v1beta/files?upload_id=u-1`;
      if (path.endsWith('/upload/v1beta/files')) return call.json({}, { headers: { 'x-goog-upload-url': location } });
      if (path.endsWith('?upload_id=u-1'))
        return call.json({ file: { name: 'files/f-2' } }, { headers: { 'x-goog-upload-status': 'final' } });
      return call.json(answers.find(([end]) => end.test(path))?.[1]);
    }),
  ]);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

describe('a client with the root as its base URL', () => {
  it("embeds and reranks with Cohere's client", async () => {
    const headers = toHeaders('cohere');
    const client = new CohereClientV2({ environment: gateway.origin, token: 'not-sent', maxRetries: 0, headers });
    const embedded = await client.embed({
      ...{ model: 'embed-v4.0', texts: ['Hi'], inputType: 'search_query', embeddingTypes: ['float'] },
    });
    expect(embedded).toMatchObject({ embeddings: { float: [[0.5]] } });
    expect(sentPath()).toBe('/v2/embed');
    const ranked = await client.rerank({ model: 'rerank-v3.5', query: 'Hi', documents: ['a', 'b'] });
    expect(ranked.results).toEqual([{ index: 1, relevanceScore: 0.9 }]);
    expect(sentPath()).toBe('/v2/rerank');
  });

  it("invokes a model with Bedrock's client", async () => {
    const client = new BedrockRuntimeClient({
      ...{ endpoint: gateway.origin, region: 'us-east-1', token: { token: 'not-sent' }, maxAttempts: 1 },
      ...{ authSchemePreference: ['httpBearerAuth'], requestHandler: new NodeHttpHandler() },
    });
    client.middlewareStack.add(
      (next) => async (args) => {
        const { headers } = args.request as { headers: Record<string, string> };
        Object.assign(headers, toHeaders('bedrock', { cloudc_region: 'us-east-1' }));
        return next(args);
      },
      { step: 'build' },
    );
    const answer = await client.send(
      new InvokeModelCommand({ modelId: 'amazon.titan-v1:0', body: '{"inputText":"Hi"}' }),
    );
    expect(answer.body.transformToString()).toBe('{"completion":"Hello."}');
    expect(sentPath()).toBe('/model/amazon.titan-v1%3A0/invoke');
  });

  it.each(['invoke', 'invoke-with-response-stream'])('sends /model/…/%s to Bedrock unchanged', async (call) => {
    const answer = await ask(`/model/m-1/${call}`, 'bedrock', { inputText: 'Hi' }, { cloudc_region: 'us-east-1' });
    expect(answer.status).toBe(200);
    expect([sentPath(), sentBody()]).toEqual([`/model/m-1/${call}`, { inputText: 'Hi' }]);
  });

  it.each(['v1beta', 'v1'])(
    "creates caches and reads files with Google's client, by the version %s",
    async (apiVersion) => {
      const { caches, files } = new GoogleGenAI({
        apiKey: 'not-sent',
        vertexai: false,
        httpOptions: {
          apiVersion,
          baseUrl: gateway.origin,
          headers: toHeaders('google', { custom_host: `${upstream.origin}/v1beta` }),
        },
      });
      const made = await caches.create({ model: 'gemini-2.5-flash', config: { contents: 'Long text.' } });
      expect(made.name).toBe('cachedContents/c-1');
      expect(sentPath()).toBe('/v1beta/cachedContents');
      expect(await files.get({ name: 'files/f-1' })).toMatchObject({ state: 'ACTIVE' });
      expect(sentPath()).toBe('/v1beta/files/f-1');
    },
  );

  it.each(['v1beta', 'v1'])("uploads a whole file through the gateway with Google's client: %s", async (apiVersion) => {
    const { files } = new GoogleGenAI({
      apiKey: 'not-sent',
      vertexai: false,
      httpOptions: {
        apiVersion,
        baseUrl: gateway.origin,
        headers: toHeaders('google', { custom_host: `${upstream.origin}/google/v1beta` }),
      },
    });
    const before = upstream.requests.length;
    const file = await files.upload({ file: new Blob(['some text']), config: { mimeType: 'text/plain' } });
    expect(file).toMatchObject({ name: 'files/f-2' });
    const sent = upstream.requests.slice(before);
    expect(sent.map(({ path }) => path)).toEqual([
      '/google/upload/v1beta/files',
      '/google/upload/v1beta/files?upload_id=u-1',
    ]);
    expect(sent[1]?.text()).toBe('some text');
    for (const { rawHeaders } of sent) {
      expect(rawHeaders).toContain('callers-own');
      expect(rawHeaders).not.toContain('not-sent');
    }
  });

  it('uploads to Google on a path that begins before the version', async () => {
    const host = { custom_host: `${upstream.origin}/google/v1beta` };
    expect((await ask('/upload/v1beta/files?upload_id=1&key=k', 'google', {}, host)).status).toBe(200);
    expect(sentPath()).toBe('/google/upload/v1beta/files?upload_id=1');
  });

  it.each([
    [undefined, 'http:'],
    ['https', 'https:'],
    ['HTTPS, http', 'https:'],
    ['gopher', 'http:'],
  ])(
    'continues an upload to Google with the scheme that proxies before the gateway report: %s',
    async (proto, scheme) => {
      const answer = await fetch(`${gateway.origin}/upload/v1beta/files`, {
        method: 'POST',
        headers: {
          ...toHeaders('google', { custom_host: `${upstream.origin}/google/v1beta` }),
          ...(proto === undefined ? {} : { 'x-forwarded-proto': proto }),
        },
        body: '{}',
      });
      const next = new URL(answer.headers.get('x-goog-upload-url') ?? '');
      expect([next.protocol, next.host]).toEqual([scheme, new URL(gateway.origin).host]);
    },
  );

  it("names its deployment in the path with Azure's client", async () => {
    const headers = toHeaders('azure-openai', { ...azure, custom_host: `${upstream.origin}/openai` });
    const client = new AzureOpenAI({
      ...{ endpoint: gateway.origin, apiKey: 'not-sent', apiVersion: '2024-10-21', maxRetries: 0 },
      ...{ deployment: 'of-the-client', defaultHeaders: headers },
    });
    const said = await client.chat.completions.create({ model: 'other', messages: [{ role: 'user', content: 'Hi' }] });
    expect(said.choices[0]?.message.content).toBe('hello');
    expect(sentPath()).toBe('/openai/deployments/of-the-client/chat/completions?api-version=2024-10-21');
    const { data } = await client.images.generate({ model: 'other', prompt: 'A cat.' });
    expect(data).toHaveLength(1);
    expect(sentPath()).toBe('/openai/deployments/of-the-client/images/generations?api-version=2024-10-21');
  });

  it("sets the model of any provider's body by a deployment in the path", async () => {
    const host = { custom_host: `${upstream.origin}/v1` };
    for (const body of [{}, { model: 'other' }]) {
      const messages = [{ role: 'user', content: 'Hi' }];
      const path = '/openai/deployments/gpt%2D4o/chat/completions?api-version=2024-10-21';
      expect((await ask(path, 'openai', { messages, ...body }, host)).status).toBe(200);
      expect([sentPath(), sentBody()]).toEqual(['/v1/chat/completions', { model: 'gpt-4o', messages }]);
    }
  });

  it('calls Groq, which is compatible with OpenAI, below /openai/v1', async () => {
    const defaultHeaders = toHeaders('groq', { custom_host: `${upstream.origin}/openai/v1` });
    const baseURL = `${gateway.origin}/openai/v1`;
    const client = new OpenAI({ baseURL, apiKey: 'not-sent', maxRetries: 0, defaultHeaders });
    const said = await client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] });
    expect(said.choices[0]?.message.content).toBe('hello');
    expect(sentPath()).toBe('/openai/v1/chat/completions');
    await client.images.generate({ model: 'm', prompt: 'A cat.' });
    expect(sentPath()).toBe('/openai/v1/images/generations');
  });
});

describe('a path that only one API has', () => {
  it.each(['/v2/classify', '/model/m/invoke', '/v1beta/cachedContents', '/upload/v1beta/files'])(
    'reaches no provider of another dialect: %s',
    async (path) => {
      const before = upstream.requests.length;
      const answer = await ask(path, 'openai', { model: 'm' });
      expect([answer.status, upstream.requests.length - before]).toEqual([501, 0]);
      // The vendors' libraries retry after any other 5xx.
      expect(answer.headers.get('x-should-retry')).toBe('false');
    },
  );

  it.each(['/model/m/invoke', '//model/m/invoke', '/model/m/invoke-with-response-stream', '/async-invoke/x'])(
    "has the gateway's errors in the form of its API: %s",
    async (path) => {
      const refused = await ask(path, 'openai');
      expect(await refused.json()).toMatchObject({ __type: 'InternalServerException', message: expect.any(String) });
      const headers = { 'content-type': 'application/json', 'x-gw-config': '{' };
      const wrong = await fetch(`${gateway.origin}${path}`, { method: 'POST', headers, body: '{}' });
      expect([wrong.status, await wrong.json()]).toMatchObject([400, { __type: 'ValidationException' }]);
    },
  );

  it.each(['', '/v1', '/v1/v1', '/v1/proxy'])("has its provider's errors unchanged below %j", async (prefix) => {
    const error = { message: 'Too many.' };
    const type = 'ThrottlingException:http://internal.amazon.com/coral/com.amazon.bedrock/';
    const failing = await startUpstream(({ json }) =>
      json(error, { status: 429, headers: { 'x-amzn-errortype': type } }),
    );
    onTestFinished(() => failing.close());
    const keys = { cloudc_access_key_id: 'a', cloudc_secret_access_key: 's', cloudc_region: 'us-east-1' };
    const answer = await ask(`${prefix}/model/m/invoke`, 'bedrock', {}, { ...keys, custom_host: failing.origin });
    expect([answer.status, answer.headers.get('x-amzn-errortype'), await answer.json()]).toEqual([429, type, error]);
  });

  it('is not confused with a path of the control plane', async () => {
    for (const path of ['/openai/v1/api-keys', '/openai/providers', '/openai/v1//api-keys']) {
      const before = upstream.requests.length;
      expect([(await ask(path, 'openai')).status, upstream.requests.length - before]).toEqual([404, 0]);
    }
  });
});
