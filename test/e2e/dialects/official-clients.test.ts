import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream, type UpstreamHandler } from '../../support/servers/upstream-server.ts';
import {
  anthropicAnswer,
  anthropicError,
  anthropicStream,
  anthropicStreamError,
} from '../../support/vendors/anthropic-wire.ts';
import { openaiAnswer, openaiError, openaiStream, type Reply } from '../../support/vendors/openai-wire.ts';

const weather: Reply = { toolCalls: [{ id: 'call_1', name: 'weather', arguments: '{"city":"Graz"}' }] };
const both: Reply = {
  text: 'Let me look.',
  toolCalls: [
    { id: 'call_1', name: 'weather', arguments: '{"city":"Graz"}' },
    { id: 'call_2', name: 'weather', arguments: '{"city":"Wien"}' },
  ],
};
const readBody = (text: Buffer): Record<string, unknown> => JSON.parse(text.toString());

/** Answers as the vendor does: with JSON, or with a stream if the request asks for one. */
const openaiVendor =
  (reply: Reply): UpstreamHandler =>
  (call) => {
    const body = readBody(call.request.body);
    if (body.stream !== true) return call.json(openaiAnswer(reply));
    const withUsage = (body.stream_options as { include_usage?: boolean } | undefined)?.include_usage === true;
    const stream = call.sse();
    for (const frame of openaiStream(reply, { withUsage })) stream.send(frame);
    stream.end();
  };

const anthropicVendor =
  (reply: Reply): UpstreamHandler =>
  (call) => {
    if (readBody(call.request.body).stream !== true) return call.json(anthropicAnswer(reply));
    const stream = call.sse();
    for (const frame of anthropicStream(reply)) stream.send(frame);
    stream.end();
  };

let gateway: GatewayProcess;
let upstream: TestUpstream;
const vendors = [
  {
    provider: 'openai',
    vendor: openaiVendor,
    fail: (message: string) => openaiError(message, 'rate_limit_error', 'rate_limit_exceeded'),
  },
  {
    provider: 'anthropic',
    vendor: anthropicVendor,
    fail: (message: string) => anthropicError('rate_limit_error', message),
  },
] as const;

const config = (provider: string): string =>
  JSON.stringify({ provider, api_key: `key-of-${provider}`, custom_host: `${upstream.origin}/v1` });
const openai = (provider: string): OpenAI =>
  new OpenAI({
    baseURL: gateway.baseUrl,
    apiKey: 'not-sent',
    maxRetries: 0,
    defaultHeaders: { 'x-gw-config': config(provider) },
  });
const anthropic = (provider: string): Anthropic =>
  new Anthropic({
    baseURL: gateway.origin,
    apiKey: 'not-sent',
    maxRetries: 0,
    defaultHeaders: { 'x-gw-config': config(provider) },
  });

const chat = { model: 'a-model', messages: [{ role: 'user' as const, content: 'What is the weather in Graz?' }] };
const chatTools = [
  {
    type: 'function' as const,
    function: {
      name: 'weather',
      description: 'Reports it.',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
];
const messages = { ...chat, max_tokens: 200 };
const messagesTools = [
  {
    name: 'weather',
    description: 'Reports it.',
    input_schema: { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] },
  },
];

beforeAll(async () => {
  [gateway, upstream] = await Promise.all([startGateway(), startUpstream()]);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});
afterEach(() => upstream.handle(() => undefined));

describe.each(vendors)('the official openai client on a target of $provider', ({ provider, vendor, fail }) => {
  it('gets a text', async () => {
    upstream.handle(vendor({ text: 'It rains in Graz.' }));
    const answer = await openai(provider).chat.completions.create(chat);
    expect(answer.choices[0]?.message).toMatchObject({ role: 'assistant', content: 'It rains in Graz.' });
    expect(answer.choices[0]?.finish_reason).toBe('stop');
    expect(answer.usage?.completion_tokens).toBe(9);
    expect(answer.usage?.prompt_tokens).toBe(21);
  });

  it('gets tool calls and sends their results', async () => {
    upstream.handle(vendor(both));
    const client = openai(provider);
    const first = await client.chat.completions.create({ ...chat, tools: chatTools, tool_choice: 'auto' });
    const message = first.choices[0]?.message;
    expect(message?.tool_calls?.map((call) => call.type === 'function' && call.function)).toEqual([
      { name: 'weather', arguments: '{"city":"Graz"}' },
      { name: 'weather', arguments: '{"city":"Wien"}' },
    ]);
    expect(first.choices[0]?.finish_reason).toBe('tool_calls');
    upstream.handle(vendor({ text: 'Rain, and sun.' }));
    if (message === undefined) throw new Error('There is no message.');
    const second = await client.chat.completions.create({
      ...chat,
      messages: [
        ...chat.messages,
        message,
        { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
        { role: 'tool', tool_call_id: 'call_2', content: 'sun' },
      ],
      tools: chatTools,
    });
    expect(second.choices[0]?.message.content).toBe('Rain, and sun.');
    const sent = JSON.stringify(readBody(upstream.requests.at(-1)?.body ?? Buffer.from('{}')));
    expect(sent.indexOf('call_1')).toBeGreaterThan(0);
    expect(sent).toContain('sun');
  });

  it('reads a stream of text and its usage', async () => {
    upstream.handle(vendor({ text: 'It rains in Graz today.' }));
    const stream = openai(provider).chat.completions.stream({ ...chat, stream_options: { include_usage: true } });
    const texts: string[] = [];
    for await (const chunk of stream) texts.push(chunk.choices[0]?.delta.content ?? '');
    const completion = await stream.finalChatCompletion();
    expect(texts.join('')).toBe('It rains in Graz today.');
    expect(texts.filter((text) => text !== '').length).toBeGreaterThan(3);
    expect(completion.choices[0]?.message.content).toBe('It rains in Graz today.');
    expect(completion.usage?.total_tokens).toBe(30);
  });

  it('reads a stream of tool calls', async () => {
    upstream.handle(vendor(both));
    const completion = await openai(provider)
      .chat.completions.stream({ ...chat, tools: chatTools })
      .finalChatCompletion();
    expect(
      completion.choices[0]?.message.tool_calls?.map((call) => call.type === 'function' && call.function.arguments),
    ).toEqual(['{"city":"Graz"}', '{"city":"Wien"}']);
    expect(completion.choices[0]?.finish_reason).toBe('tool_calls');
  });

  it("gets the provider's error with its status", async () => {
    upstream.handle((call) => call.json(fail('Slow down.'), { status: 429 }));
    const error = await openai(provider)
      .chat.completions.create(chat)
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(OpenAI.RateLimitError);
    expect(error.message).toContain('Slow down.');
  });

  it('cancels the upstream request when it disconnects', async () => {
    const left = Promise.withResolvers<void>();
    upstream.handle(async (call) => {
      const stream = call.sse();
      const frames = provider === 'openai' ? openaiStream({ text: 'It rains' }) : anthropicStream({ text: 'It rains' });
      for (const frame of frames.slice(0, 5)) stream.send(frame);
      await call.gone;
      left.resolve();
    });
    const stream = await openai(provider).chat.completions.create({ ...chat, stream: true });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
    await left.promise;
  });
});

describe.each(vendors)('the official Anthropic client on a target of $provider', ({ provider, vendor, fail }) => {
  it('gets a text', async () => {
    upstream.handle(vendor({ text: 'It rains in Graz.' }));
    const answer = await anthropic(provider).messages.create(messages);
    expect(answer.content).toMatchObject([{ type: 'text', text: 'It rains in Graz.' }]);
    expect(answer.stop_reason).toBe('end_turn');
    expect(answer.usage).toMatchObject({ output_tokens: 9, input_tokens: 17, cache_read_input_tokens: 4 });
  });

  it('gets tool calls and sends their results', async () => {
    upstream.handle(vendor(both));
    const client = anthropic(provider);
    const first = await client.messages.create({ ...messages, tools: messagesTools });
    expect(first.stop_reason).toBe('tool_use');
    expect(first.content).toMatchObject([
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Graz' } },
      { type: 'tool_use', id: 'call_2', name: 'weather', input: { city: 'Wien' } },
    ]);
    upstream.handle(vendor({ text: 'Rain, and sun.' }));
    const second = await client.messages.create({
      ...messages,
      messages: [
        ...messages.messages,
        { role: 'assistant', content: first.content },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_1', content: 'rain' },
            { type: 'tool_result', tool_use_id: 'call_2', content: 'sun' },
          ],
        },
      ],
      tools: messagesTools,
    });
    expect(second.content).toMatchObject([{ type: 'text', text: 'Rain, and sun.' }]);
  });

  it('reads a stream of text and tool calls', async () => {
    upstream.handle(vendor(both));
    const stream = anthropic(provider).messages.stream({ ...messages, tools: messagesTools });
    const message = await stream.finalMessage();
    expect(message.content).toMatchObject([
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_use', name: 'weather', input: { city: 'Graz' } },
      { type: 'tool_use', name: 'weather', input: { city: 'Wien' } },
    ]);
    expect(message.stop_reason).toBe('tool_use');
    expect(message.usage.output_tokens).toBe(9);
  });

  it('reads a stream of one tool call', async () => {
    upstream.handle(vendor(weather));
    const message = await anthropic(provider)
      .messages.stream({ ...messages, tools: messagesTools })
      .finalMessage();
    expect(message.content).toMatchObject([{ type: 'tool_use', id: 'call_1', input: { city: 'Graz' } }]);
  });

  it("gets the provider's error with its status", async () => {
    upstream.handle((call) => call.json(fail('Slow down.'), { status: 429 }));
    const error = await anthropic(provider)
      .messages.create(messages)
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(Anthropic.RateLimitError);
    expect(error.message).toContain('Slow down.');
  });

  it('gets an in-band error when the stream fails after its first text', async () => {
    upstream.handle((call) => {
      const stream = call.sse();
      if (provider === 'anthropic') {
        for (const frame of anthropicStream({ text: 'It rains' }).slice(0, 4)) stream.send(frame);
        stream.send(anthropicStreamError('overloaded_error', 'Overloaded'));
        stream.end();
      } else {
        for (const frame of openaiStream({ text: 'It rains' }).slice(0, 2)) stream.send(frame);
        stream.cut();
      }
    });
    const texts: string[] = [];
    const stream = anthropic(provider).messages.stream(messages);
    stream.on('text', (text) => texts.push(text));
    const error = await stream.finalMessage().catch((thrown) => thrown);
    expect(error).toBeInstanceOf(Anthropic.APIError);
    expect(texts.join('')).toContain('It');
  });
});
