import OpenAI from 'openai';
import { beforeEach, describe, expect, it } from 'vitest';
import { fillingIn } from '../../support/vendors/mistral-fim-wire.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import { gatewayAndUpstream } from '../support/gateway-and-upstream.ts';

const world = gatewayAndUpstream();

const pieces = ['  return ', 'a + b', '\n'];
const text = pieces.join('');
const code = { prompt: 'def add(a, b):\n', suffix: '\nprint(add(1, 2))' };
const model = 'codestral-latest';

beforeEach(() => world.upstream.handle(fillingIn(pieces)));

const target = (more: object = {}): object => ({
  provider: 'mistral-ai',
  api_key: 'key-of-the-test',
  custom_host: `${world.upstream.origin}/v1`,
  ...more,
});

/** A request that names the provider and its settings in headers. */
const byHeaders = (): Record<string, string> => ({
  'x-gw-provider': 'mistral-ai',
  'x-gw-custom-host': `${world.upstream.origin}/v1`,
  'x-gw-mistral-fim-completion': 'true',
});

const client = (headers: Record<string, string> = { 'x-gw-config': JSON.stringify(target()) }): OpenAI =>
  new OpenAI({
    apiKey: 'key-of-the-test',
    baseURL: world.gateway.baseUrl,
    maxRetries: 0,
    defaultHeaders: headers,
  });

const post = (path: string, body: object, headers: Record<string, string>): Promise<Response> =>
  fetch(`${world.gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer key-of-the-test', ...headers },
    body: JSON.stringify(body),
  });

const sent = () => world.upstream.requests.at(-1) ?? expect.unreachable();

describe('a text completion by Codestral', () => {
  it('is filled in between its prompt and its suffix', async () => {
    const answer = await client().completions.create({ model, ...code, max_tokens: 9, seed: 7, stop: ['\n\n'] });
    expect(answer).toMatchObject({
      object: 'text_completion',
      model: 'codestral-2508',
      choices: [{ index: 0, text, logprobs: null, finish_reason: 'stop' }],
      usage: { prompt_tokens: 8, completion_tokens: 5, total_tokens: 13 },
    });
    expect(answer.choices[0]).not.toHaveProperty('message');
    expect(sent().json()).toEqual({ model, ...code, max_tokens: 9, random_seed: 7, stop: ['\n\n'] });
    expect(sent().header('authorization')).toBe('Bearer key-of-the-test');
  });

  it('is streamed as a text completion', async () => {
    const stream = await client().completions.create({
      ...{ model, ...code, stream: true, stream_options: { include_usage: true } },
    });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.every(({ object }) => object === 'text_completion')).toBe(true);
    const choices = chunks.flatMap((chunk) => chunk.choices);
    expect(choices.map((choice) => choice.text).join('')).toBe(text);
    expect(choices.at(-1)?.finish_reason).toBe('stop');
    expect(choices.some((choice) => 'delta' in choice)).toBe(false);
    expect(chunks.findLast(({ usage }) => usage)?.usage?.completion_tokens).toBe(5);
    expect(sent().json()).toEqual({ model, ...code, stream: true });
  });

  it('reports the usage of its provider, whole and streamed', async () => {
    const config = { 'x-gw-config': JSON.stringify(target()), 'x-gw-usage': 'true' };
    const whole = await post('/completions', { model, ...code }, config);
    expect(JSON.parse(whole.headers.get('x-gw-usage') ?? '')).toMatchObject({
      ...{ kind: 'reported', input: { total: 8 }, output: { total: 5 } },
    });
    const streamed = await (await post('/completions', { model, ...code, stream: true }, config)).text();
    expect(streamed).toMatch(/^: x-gw-usage \{"kind":"reported".*"input":\{"total":8\},"output":\{"total":5\}/m);
  });

  it('drops parameters that fill-in-the-middle does not support, and reports them', async () => {
    const config = { 'x-gw-config': JSON.stringify(target()) };
    const asked = { ...{ model, ...code, n: 2, frequency_penalty: 0.5, user: 'u', echo: false }, best_of: 1 };
    const answer = await post('/completions', asked, config);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-gw-dropped-params')?.split(', ').sort()).toEqual(['frequency_penalty', 'n', 'user']);
    expect(sent().json()).toEqual({ model, ...code });
  });

  it.each([[['one', 'two']], [[1, 2, 3]], [undefined]])('requires one text as its prompt, not %j', async (prompt) => {
    const before = world.upstream.requests.length;
    const answer = await post('/completions', { model, prompt }, { 'x-gw-config': JSON.stringify(target()) });
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining('prompt must be a single text'),
    ]);
    expect(world.upstream.requests).toHaveLength(before);
  });

  it("returns Mistral's errors in its own form", async () => {
    const config = { 'x-gw-config': JSON.stringify(target()) };
    const answer = await post('/completions', { model, ...code, unheard_of: 1 }, config);
    expect([answer.status, await answer.json()]).toMatchObject([
      422,
      { error: { message: expect.stringContaining('unheard_of') } },
    ]);
  });

  it('is judged by its text', async () => {
    const denies = { contains: { operator: 'none', words: ['a + b'] }, deny: true };
    const config = { 'x-gw-config': JSON.stringify(target({ output_guardrails: [denies] })) };
    for (const stream of [false, true])
      expect((await post('/completions', { model, ...code, stream }, config)).status, `stream: ${stream}`).toBe(446);
  });
});

describe('a text completion by another model of Mistral', () => {
  it('is a chat', async () => {
    world.upstream.handle((call) => call.json(openaiAnswer({ text: 'there was a bridge.' })));
    for (const name of ['mistral-small-latest', 'codestral-mamba-latest']) {
      const answer = await client().completions.create({ model: name, prompt: 'Once' });
      expect(answer.choices[0]?.text).toBe('there was a bridge.');
      expect([sent().path, sent().json().messages]).toEqual([
        '/v1/chat/completions',
        [{ role: 'user', content: 'Once' }],
      ]);
    }
  });

  it('is filled in if x-gw-mistral-fim-completion is set', async () => {
    const answer = await client(byHeaders()).completions.create({ model: 'a-model-of-mine', ...code });
    expect(answer.choices[0]?.text).toBe(text);
    expect(sent().json()).toEqual({ model: 'a-model-of-mine', ...code });
  });
});

describe('a chat with x-gw-mistral-fim-completion', () => {
  it('is filled in with its prompt and suffix, and answered as a chat', async () => {
    const asked = { model, messages: [], ...code, max_completion_tokens: 5, tool_choice: 'none' };
    const answer = await post('/chat/completions', asked, byHeaders());
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { object: 'chat.completion', choices: [{ message: { role: 'assistant', content: text } }] },
    ]);
    expect(sent().json()).toEqual({ model, ...code, max_tokens: 5 });
    expect(answer.headers.get('x-gw-dropped-params')).toBe('tool_choice');
  });

  it('is streamed as a chat', async () => {
    const stream = await client(byHeaders()).chat.completions.create({
      ...{ model, messages: [{ role: 'user', content: code.prompt }], stream: true },
    });
    let received = '';
    for await (const { choices } of stream) received += choices[0]?.delta.content ?? '';
    expect(received).toBe(text);
    expect(sent().json()).toEqual({ model, prompt: code.prompt, stream: true });
  });

  it('uses its only message as the prompt, whichever format the client speaks', async () => {
    const content = [{ type: 'text', text: 'def add' }];
    const answer = await post(
      '/messages',
      { model, max_tokens: 9, messages: [{ role: 'user', content }] },
      byHeaders(),
    );
    expect([answer.status, await answer.json()]).toMatchObject([200, { content: [{ type: 'text', text }] }]);
    expect(sent().json()).toEqual({ model, max_tokens: 9, prompt: 'def add' });
  });

  it.each([
    ['several messages', { messages: ['a', 'b'].map((content) => ({ role: 'user', content })) }],
    ['instructions', { messages: [{ role: 'system', content: 'a' }] }],
    ['a picture', { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:,' } }] }] }],
    ['no messages', { messages: [] }],
    ['a prompt that is not a text', { messages: [], prompt: ['a'] }],
  ])('is refused with %s, because the endpoint does not support that', async (_, body) => {
    const before = world.upstream.requests.length;
    const answer = await post('/chat/completions', { model, ...body }, byHeaders());
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('fill-in-the-middle takes')]);
    expect(world.upstream.requests).toHaveLength(before);
  });

  it('is a normal chat if the header is false, and is refused with any other value', async () => {
    world.upstream.handle((call) => call.json(openaiAnswer({ text: 'hi' })));
    const body = { model, messages: [{ role: 'user', content: 'hi' }] };
    const asked = (value: string) =>
      post('/chat/completions', body, { ...byHeaders(), 'x-gw-mistral-fim-completion': value });
    expect((await asked('false')).status).toBe(200);
    expect(sent().path).toBe('/v1/chat/completions');
    expect((await asked('maybe')).status).toBe(400);
  });
});
