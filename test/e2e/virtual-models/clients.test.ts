import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lazyBuiltinPlugins } from '../../../plugins/lazy-builtin.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { sampleBody } from '../../operations-table/sample-body.ts';
import { operationSamples } from '../../operations-table/samples.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { completionAnswer } from '../../support/vendors/openai-completions-wire.ts';
import { responseAnswer } from '../../support/vendors/openai-responses-wire.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;
let before: number;

/** The dialect of the sample answer for each path of OpenAI that is not a conversation. */
const answerOf: { readonly [path: string]: string } = {
  '/v1/embeddings': 'embeddings',
  '/v1/responses/input_tokens': 'responses-count',
  '/v1/images/generations': 'images',
  '/v1/images/edits': 'image-edits',
  '/v1/images/variations': 'image-variations',
  '/v1/audio/speech': 'speech',
  '/v1/audio/transcriptions': 'transcriptions',
  '/v1/audio/translations': 'translations',
  '/v1/moderations': 'moderations',
};

beforeAll(async () => {
  upstream = await startUpstream((call) => {
    const { path, body } = call.request;
    const sampled = operationSamples[answerOf[path] ?? '']?.answer('Hello.');
    if (sampled instanceof Buffer) return call.answer({ headers: { 'content-type': 'audio/mpeg' }, body: sampled });
    if (sampled !== undefined) return call.json(sampled);
    if (path.endsWith('/responses')) return call.json(responseAnswer('Hello.'));
    if (!path.endsWith('/chat/completions')) return call.json(completionAnswer('Hello.'));
    if (JSON.parse(body.toString()).stream !== true) return call.json(openaiAnswer({ text: 'Hello.' }));
    const stream = call.sse();
    for (const frame of openaiStream({ text: 'Hello.' })) stream.send(frame);
    return stream.end();
  });
  gateway = await startGateway({
    files: {
      'gateway.json': {
        configs: 'configs',
        providers: {
          main: {
            provider: 'openai',
            credential: { api_key: '${env:KEY}' },
            settings: { custom_host: `${upstream.origin}/v1` },
          },
        },
        models: { fast: 'config:quick', 'team/gpt': '@main/gpt-4o', local: '@echo/m' },
      },
      'configs/quick.json': { provider: '@main', override_params: { model: 'real-1' } },
    },
    env: { KEY: 'a-key-for-tests' },
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});
beforeEach(() => {
  before = upstream.requests.length;
});

/** Returns the models that were sent, in JSON or in a form. */
const sentModels = (): readonly unknown[] =>
  upstream.requests.slice(before).map((request) => {
    const sent = request.text();
    return sent.startsWith('{') ? JSON.parse(sent).model : / name="model"\r\n\r\n(.*)\r\n/.exec(sent)?.[1];
  });

const text = 'Hello';

const routes = lazyBuiltinPlugins
  .flatMap(({ dialects = [] }) => dialects)
  .flatMap(({ id, routes: declared = [] }) => declared.map(({ path }) => [id, path] as const));

const ask = (path: string, model: string, body: JsonObject | FormData): Promise<Response> =>
  fetch(gateway.origin + path.replace('{model}', encodeURIComponent(model)), {
    method: 'POST',
    ...(body instanceof FormData
      ? { body }
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });

const askFor = (dialect: string, path: string, model: string): Promise<Response> =>
  ask(path, model, sampleBody(dialect, path.includes('{model}') ? undefined : model));

describe('a request for a virtual model', () => {
  describe.each([
    ['fast', 'real-1', 'quick'],
    ['team/gpt', 'gpt-4o', 'team%2Fgpt'],
  ])('%s', (name, model, plan) => {
    it.each(routes)('is served for %s at %s', async (dialect, path) => {
      const answer = await askFor(dialect, path, name);
      expect([answer.status, await answer.text()]).toEqual([200, expect.not.stringContaining('"error":{')]);
      expect(answer.headers.get('x-gw-plan')).toMatch(new RegExp(`^${plan}@`));
      expect(sentModels()).toEqual([model]);
    });
  });

  it.each(routes)('is rejected if the name is unknown, for %s at %s', async (dialect, path) => {
    const answer = await askFor(dialect, path, 'Fast');
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('names no provider')]);
    expect(sentModels()).toEqual([]);
  });

  it('is suggested for a conversation without a model, but not for other requests', async () => {
    const form = new FormData();
    form.set('file', new Blob(['RIFF']), 'a.wav');
    const post = async (path: string, body: FormData | string): Promise<readonly [number, string]> => {
      const headers = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
      const answer = await fetch(`${gateway.baseUrl}${path}`, { method: 'POST', headers, body });
      return [answer.status, await answer.text()];
    };
    expect(await post('/chat/completions', '{"messages":[{"role":"user","content":"Hello"}]}')).toEqual([
      400,
      expect.stringContaining('It has no \\"model\\" either, such as \\"fast\\": add it.'),
    ]);
    for (const [path, body] of [
      ['/audio/transcriptions', form],
      ['/embeddings', '{"input":"Hello"}'],
    ] as const)
      expect(await post(path, body)).toEqual([400, expect.stringContaining('It has no \\"model\\" either: add it.')]);
  });

  const refused = async (model: string): Promise<string> =>
    (await askFor('chat', '/v1/chat/completions', model)).text();

  it('suggests the nearest virtual model, and where all are listed', async () => {
    const message = await refused('fastt');
    expect(message).toContain(String.raw`There is no model \"fastt\" here: did you mean \"fast\"?`);
    expect(message).toContain('GET /v1/models');
  });

  it('explains how to name a config if the name resembles one', async () => {
    expect(await refused('quikc')).toContain('send x-gw-config: quick.');
    expect(await refused('another-thing')).toContain('Send x-gw-config, ');
  });

  it('is served by a provider that needs no credential', async () => {
    const answer = await askFor('chat', '/v1/chat/completions', 'local');
    expect([answer.status, answer.headers.get('x-gw-provider')]).toEqual([200, 'echo']);
  });

  it('is served for an operation that is passed through as JSON', async () => {
    const answer = await ask('/v1/images/upscales', 'fast', { model: 'fast', prompt: text });
    expect(answer.status).toBe(200);
    expect(sentModels()).toEqual(['real-1']);
  });

  it("works with OpenAI's library", async () => {
    const client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: 'not-sent', maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: text }];
    const chat = await client.chat.completions.create({ model: 'fast', messages });
    expect(chat.choices[0]?.message.content).toBe('Hello.');
    const streamed = await client.chat.completions.stream({ model: 'fast', messages }).finalContent();
    expect(streamed).toBe('Hello.');
    expect((await client.responses.create({ model: 'fast', input: text })).output_text).toBe('Hello.');
    expect((await client.embeddings.create({ model: 'fast', input: text })).data).toHaveLength(1);
    expect((await client.completions.create({ model: 'fast', prompt: text })).choices[0]?.text).toBe('Hello.');
    expect(sentModels()).toEqual(Array.from({ length: 5 }, () => 'real-1'));
  });

  it("works with Anthropic's library", async () => {
    const client = new Anthropic({ baseURL: gateway.origin, apiKey: 'not-sent', maxRetries: 0 });
    const request = { model: 'fast', max_tokens: 16, messages: [{ role: 'user' as const, content: text }] };
    expect((await client.messages.create(request)).content).toMatchObject([{ text: 'Hello.' }]);
    expect(await client.messages.stream(request).finalText()).toBe('Hello.');
    expect(sentModels()).toEqual(['real-1', 'real-1']);
  });

  it("works with Google's library", async () => {
    const client = new GoogleGenAI({ apiKey: 'not-sent', httpOptions: { baseUrl: gateway.origin } });
    const request = { model: 'fast', contents: text };
    expect((await client.models.generateContent(request)).text).toBe('Hello.');
    let streamed = '';
    for await (const part of await client.models.generateContentStream(request)) streamed += part.text ?? '';
    expect(streamed).toBe('Hello.');
    expect(sentModels()).toEqual(['real-1', 'real-1']);
  });
});

describe('GET /models', () => {
  const list = async (headers: Record<string, string> = {}, path = '/v1/models'): Promise<unknown> =>
    (await fetch(gateway.origin + path, { headers })).json();

  const names = ['fast', 'team/gpt', 'local'];
  it.each([
    ["OpenAI's", {}, '/v1/models', { data: names.map((id) => expect.objectContaining({ id, object: 'model' })) }],
    [
      "Anthropic's",
      { 'anthropic-version': '2023-06-01' },
      '/v1/models',
      { data: names.map((id) => expect.objectContaining({ id, type: 'model' })) },
    ],
    [
      "Google's",
      { 'x-goog-api-key': 'k' },
      '/v1beta/models',
      { models: names.map((id) => expect.objectContaining({ name: `models/${id}` })) },
    ],
    [
      "Cohere's",
      { 'x-fern-sdk-name': 'cohere' },
      '/v1/models',
      { models: names.map((name) => expect.objectContaining({ name })) },
    ],
  ])('lists virtual models first in %s form', async (_, headers, path, expected) => {
    const listed = await list(headers, path);
    const first = Object.fromEntries(
      Object.entries(Object(listed)).map(([member, value]) => [
        member,
        Array.isArray(value) ? value.slice(0, 3) : value,
      ]),
    );
    expect(first).toMatchObject(expected);
  });

  it('returns a single virtual model on request', async () => {
    const client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: 'not-sent', maxRetries: 0 });
    expect(await client.models.retrieve('fast')).toMatchObject({ id: 'fast', object: 'model', owned_by: 'gatewright' });
    expect(await client.models.retrieve('team/gpt')).toMatchObject({ id: 'team/gpt', owned_by: 'main' });
    await expect(client.models.retrieve('fastt')).rejects.toThrow('Did you mean "fast"?');
    expect(sentModels()).toEqual([]);
  });

  it('lists no virtual model if a header selects the config', async () => {
    const listed = await list({ 'x-gw-config': 'quick' });
    expect(listed).toMatchObject({ data: [{ id: 'real-1' }] });
  });
});
