import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream, type UpstreamHandler } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let first: TestUpstream;
let second: TestUpstream;
beforeAll(async () => {
  [gateway, first, second] = await Promise.all([startGateway(), startUpstream(), startUpstream()]);
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([first.close(), second.close()]);
});

const chunk = (delta: object, finish: string | null = null, more: object = {}): object => ({
  ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' },
  choices: [{ index: 0, delta, finish_reason: finish, ...more }],
});

/** Streams some text, if any, and ends with the finish reason as if it were a normal end. */
const ending =
  (finish: string, texts: readonly string[], more: object = {}): UpstreamHandler =>
  (call) => {
    if (call.request.json().stream !== true) {
      const message = { role: 'assistant', content: 'half' };
      const choices = [{ index: 0, message, finish_reason: finish, ...more }];
      return call.json({ ...openaiAnswer({ text: 'half' }), choices });
    }
    const events = call.sse();
    for (const content of texts) events.frame(chunk({ content }));
    events.frame(chunk({}, finish, more));
    return events.done();
  };

const target = (upstream: TestUpstream, provider = 'openrouter'): object => ({
  provider,
  api_key: 'callers-own-key',
  custom_host: `${upstream.origin}/v1`,
});

const ask = async (
  path: string,
  body: object,
  config: object = target(first),
  headers: Readonly<Record<string, string>> = { 'x-gw-strict-llmv-compliance': 'true' },
): Promise<Response> =>
  fetch(`${gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-gw-config': JSON.stringify(config),
      ...headers,
    },
    body: JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }], ...body }),
  });

/** A dialect that the service speaks itself, and one to which it is translated. */
const formats = ['/chat/completions', '/messages'];

const fallback = (provider: string): object => ({
  strategy: { mode: 'fallback' },
  targets: [target(first, provider), target(second, provider)],
});

const words = ['error', 'network_error', 'insufficient_system_resource', 'abort'];

describe.each(words)('a stream that ends with %s', (word) => {
  it.each(formats)('after some text ends with an error for clients of %s, without a clean end', async (path) => {
    first.handle(ending(word, ['hel', 'lo']));
    const text = await (await ask(path, { stream: true }, target(first, 'deepbricks'))).text();
    expect(text).toContain('lo');
    expect(text).toContain(word);
    expect(text).toMatch(/"error":\s*\{/);
    for (const end of ['[DONE]', 'message_stop', '"finish_reason":"stop"', 'end_turn']) expect(text).not.toContain(end);
  });

  it.each(formats)('before any text falls back to the next target for clients of %s', async (path) => {
    first.handle(ending(word, []));
    second.handle(ending('stop', ['whole']));
    const text = await (await ask(path, { stream: true }, fallback('deepbricks'))).text();
    expect(text).toContain('whole');
    expect(text).not.toContain(word);
  });

  it('makes the official client throw after the text that it has received', async () => {
    first.handle(ending(word, ['hel', 'lo']));
    const client = new OpenAI({
      baseURL: gateway.baseUrl,
      apiKey: 'unused',
      maxRetries: 0,
      defaultHeaders: { 'x-gw-config': JSON.stringify(target(first)) },
    });
    let text = '';
    const read = async (): Promise<void> => {
      const parts = await client.chat.completions.create({
        ...{ model: 'm', stream: true },
        messages: [{ role: 'user', content: 'Hi' }],
      });
      for await (const part of parts) text += part.choices[0]?.delta.content ?? '';
    };
    await expect(read()).rejects.toThrow(word);
    expect(text).toBe('hello');
  });
});

describe.each(words)('a whole answer that ends with %s', (word) => {
  it('is an error if it is translated, and falls back to the next target', async () => {
    first.handle(ending(word, []));
    const answer = await ask('/messages', {}, target(first, 'deepbricks'));
    expect([answer.status, await answer.json()]).toMatchObject([
      502,
      { type: 'error', error: { code: 'broken-answer', message: expect.stringContaining(word) } },
    ]);
    second.handle(ending('stop', []));
    const next = await ask('/messages', {}, fallback('deepbricks'));
    expect([next.status, await next.json()]).toMatchObject([200, { stop_reason: 'end_turn' }]);
  });

  it("keeps the service's own finish reason in its own format", async () => {
    first.handle(ending(word, []));
    const answer = (await (await ask('/chat/completions', {})).json()) as { choices: { finish_reason: string }[] };
    expect(answer.choices[0]?.finish_reason).toBe(word);
  });
});

describe.each([
  ['mistral-ai', 'model_length', 'length'],
  ['together-ai', 'eos', 'stop'],
  ['z-ai', 'sensitive', 'content_filter'],
])("%s's own finish reason for a complete answer", (provider, word, expected) => {
  it.each([false, true])("becomes OpenAI's for strict clients, and stays for others (stream: %j)", async (stream) => {
    first.handle(ending(word, ['hel', 'lo']));
    const reasons = async (strict: string): Promise<readonly string[]> => {
      const headers = { 'x-gw-strict-llmv-compliance': strict };
      const text = await (await ask('/chat/completions', { stream }, target(first, provider), headers)).text();
      expect(text).toContain(stream ? '"lo"' : '"half"');
      return Array.from(text.matchAll(/"finish_reason":"(\w+)"/g), ([, reason = '']) => reason);
    };
    expect(await reasons('true')).toEqual([expected]);
    expect(await reasons('false')).toEqual([word]);
  });
});

describe('an answer that broke off', () => {
  it('has the message and the code that the service reports', async () => {
    first.handle(ending('error', ['a'], { error: { code: 502, message: 'Upstream went away' } }));
    const text = await (await ask('/chat/completions', { stream: true })).text();
    expect(text).toContain('Upstream went away');
  });

  it('is an error in text completions too', async () => {
    first.handle((call) => {
      const events = call.sse();
      events.frame({ id: 'c', object: 'text_completion', choices: [{ index: 0, text: 'a', finish_reason: null }] });
      events.frame({ id: 'c', object: 'text_completion', choices: [{ index: 0, text: '', finish_reason: 'error' }] });
      events.done();
    });
    const text = await (await ask('/completions', { prompt: 'a', stream: true })).text();
    expect(text).toMatch(/"error":\s*\{/);
    expect(text).not.toContain('[DONE]');
  });

  it('is recognised by the list of errors that IBM sends in place of choices', async () => {
    first.handle((call) => {
      const events = call.sse();
      events.frame(chunk({ content: 'a' }));
      events.frame({ errors: [{ code: 'downstream', message: 'The model went away' }], status_code: 500 });
      events.end();
    });
    for (const path of formats) {
      const text = await (await ask(path, { stream: true }, target(first, 'deepbricks'))).text();
      expect(text).toContain('The model went away');
      expect(text).toMatch(/"error":\s*\{/);
    }
  });
});

describe('an empty finish reason', () => {
  const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } };

  it('does not end a stream in which each chunk has one', async () => {
    first.handle((upstream) => {
      const events = upstream.sse();
      events.frame(chunk({ content: 'a' }, ''));
      events.end();
    });
    for (const path of formats) {
      const text = await (await ask(path, { stream: true }, target(first, 'x-ai'))).text();
      expect(text).toContain('error');
      expect(text).not.toContain('[DONE]');
    }
  });

  it('after tool calls ends them normally', async () => {
    const config = target(first, 'deepbricks');
    first.handle((upstream) => {
      const message = { role: 'assistant', content: null, tool_calls: [call] };
      const choices = [{ index: 0, message, finish_reason: '' }];
      if (upstream.request.json().stream !== true) return upstream.json({ ...openaiAnswer({ text: '' }), choices });
      const events = upstream.sse();
      events.frame(chunk({ tool_calls: [{ index: 0, ...call }] }, ''));
      return events.done();
    });
    expect(await (await ask('/messages', {}, config)).json()).toMatchObject({ stop_reason: 'tool_use' });
    expect(await (await ask('/messages', { stream: true }, config)).text()).toContain('"stop_reason":"tool_use"');
  });
});

describe('a finish reason that is not an error', () => {
  it.each([
    ['sensitive', 'refusal'],
    ['model_context_window_exceeded', 'model_context_window_exceeded'],
    ['max_output_tokens', 'max_tokens'],
  ])('%s becomes %s for a client of Anthropic', async (word, expected) => {
    first.handle(ending(word, ['a']));
    const answer = await ask('/messages', {}, target(first, 'deepbricks'));
    expect(await answer.json()).toMatchObject({ stop_reason: expected });
  });
});
