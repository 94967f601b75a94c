import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lazyBuiltinPlugins } from '../../../plugins/lazy-builtin.ts';
import { type GatewayProcess, startGateway } from '../../support/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/upstream-server.ts';
import { completionAnswer } from '../../support/vendors/openai-completions-wire.ts';
import { responseAnswer } from '../../support/vendors/openai-responses-wire.ts';
import { openaiAnswer, openaiStream } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;
let before: number;

const vectors = { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [0.5] }], model: 'm' };

beforeAll(async () => {
  upstream = await startUpstream((call) => {
    const { path, body } = call.request;
    if (path.endsWith('/embeddings')) return call.json({ ...vectors, usage: { prompt_tokens: 1, total_tokens: 1 } });
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

const sent = (): readonly Record<string, unknown>[] =>
  upstream.requests.slice(before).map((request) => JSON.parse(request.text()));

const text = 'Hello';
const turns = [{ role: 'user', content: text }];

/** A body of each dialect, without its model. */
const bodies: { readonly [dialect: string]: object } = {
  chat: { messages: turns },
  responses: { input: text },
  messages: { max_tokens: 16, messages: turns },
  gemini: { contents: [{ role: 'user', parts: [{ text }] }] },
  converse: { messages: [{ role: 'user', content: [{ text }] }] },
  cohere: { messages: turns },
  completions: { prompt: text },
  embeddings: { input: text },
};

const routes = lazyBuiltinPlugins
  .flatMap(({ dialects = [] }) => dialects)
  .flatMap(({ id, routes: declared = [] }) => declared.map(({ path }) => [id, path] as const));

const ask = (dialect: string, path: string, model: string): Promise<Response> =>
  fetch(gateway.origin + path.replace('{model}', encodeURIComponent(model)), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...bodies[dialect], ...(path.includes('{model}') ? {} : { model }) }),
  });

describe('a client names a virtual model', () => {
  it('in every dialect that there is', () => {
    expect(Object.keys(bodies).sort()).toEqual([...new Set(routes.map(([dialect]) => dialect))].sort());
  });

  describe.each([
    ['fast', 'real-1', 'quick'],
    ['team/gpt', 'gpt-4o', 'team%2Fgpt'],
  ])('%s', (name, model, plan) => {
    it.each(routes)('of %s, at %s', async (dialect, path) => {
      const answer = await ask(dialect, path, name);
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(/Hello|embedding/)]);
      expect(answer.headers.get('x-gw-plan')).toMatch(new RegExp(`^${plan}@`));
      expect(sent()).toEqual([expect.objectContaining({ model })]);
    });
  });

  it.each(routes)('that there is not, of %s, at %s', async (dialect, path) => {
    const answer = await ask(dialect, path, 'Fast');
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('names no provider')]);
    expect(sent()).toEqual([]);
  });

  it('of a provider that needs no credential', async () => {
    const answer = await ask('chat', '/v1/chat/completions', 'local');
    expect([answer.status, answer.headers.get('x-gw-provider')]).toEqual([200, 'echo']);
  });

  it('of an operation that is passed through as JSON', async () => {
    const answer = await ask('chat', '/v1/images/generations', 'fast');
    expect(answer.status).toBe(200);
    expect(sent()).toEqual([{ messages: turns, model: 'real-1' }]);
  });

  it("with OpenAI's library", async () => {
    const client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: 'not-sent', maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: text }];
    const chat = await client.chat.completions.create({ model: 'fast', messages });
    expect(chat.choices[0]?.message.content).toBe('Hello.');
    const streamed = await client.chat.completions.stream({ model: 'fast', messages }).finalContent();
    expect(streamed).toBe('Hello.');
    expect((await client.responses.create({ model: 'fast', input: text })).output_text).toBe('Hello.');
    expect((await client.embeddings.create({ model: 'fast', input: text })).data).toHaveLength(1);
    expect((await client.completions.create({ model: 'fast', prompt: text })).choices[0]?.text).toBe('Hello.');
    expect(sent().map(({ model }) => model)).toEqual(Array.from({ length: 5 }, () => 'real-1'));
  });

  it("with Anthropic's library", async () => {
    const client = new Anthropic({ baseURL: gateway.origin, apiKey: 'not-sent', maxRetries: 0 });
    const request = { model: 'fast', max_tokens: 16, messages: [{ role: 'user' as const, content: text }] };
    expect((await client.messages.create(request)).content).toMatchObject([{ text: 'Hello.' }]);
    expect(await client.messages.stream(request).finalText()).toBe('Hello.');
    expect(sent().map(({ model }) => model)).toEqual(['real-1', 'real-1']);
  });

  it("with Google's library", async () => {
    const client = new GoogleGenAI({ apiKey: 'not-sent', httpOptions: { baseUrl: gateway.origin } });
    const request = { model: 'fast', contents: text };
    expect((await client.models.generateContent(request)).text).toBe('Hello.');
    let streamed = '';
    for await (const part of await client.models.generateContentStream(request)) streamed += part.text ?? '';
    expect(streamed).toBe('Hello.');
    expect(sent().map(({ model }) => model)).toEqual(['real-1', 'real-1']);
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

  it('lists none to a request whose model is no virtual one', async () => {
    const listed = await list({ 'x-gw-config': 'quick' });
    expect(listed).toMatchObject({ data: [{ id: 'real-1' }] });
  });
});
