import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { received, startDriver } from '../support.ts';
import { messagesDriver } from './messages-driver.ts';

const user = { role: 'user', content: 'Hi.' };
const use = { type: 'tool_use', id: 'toolu_1', name: 'look', input: { a: 1 } };
const calling = { role: 'assistant', content: [use] };
const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'Sunny.' };
const tools = [{ name: 'look', description: 'Looks.', input_schema: { type: 'object' } }];
const version = { 'anthropic-version': '2023-06-01' };

const hear = (body: JsonObject) =>
  messagesDriver.hear(
    received('/v1/messages', { model: 'claude-sonnet-4-5', max_tokens: 100, messages: [user], ...body }, version),
  );

describe('the simulated Messages API', () => {
  it('reads a request in the form of the API reference', () => {
    expect(
      hear({
        max_tokens: 4096,
        system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
        messages: [
          {
            role: 'user',
            content: [
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
              {
                type: 'document',
                source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
                title: 'a.pdf',
              },
              { type: 'text', text: 'What is in the above image?' },
            ],
          },
          { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.', signature: 'RXFRQg==' }, use] },
          { role: 'user', content: [result] },
        ],
        tools,
        thinking: { type: 'enabled', budget_tokens: 1024 },
        output_config: { format: { type: 'json_schema', schema: { type: 'object', additionalProperties: false } } },
        stream: true,
      }),
    ).toEqual({
      stream: true,
      model: 'claude-sonnet-4-5',
      system: ['Be brief.'],
      user: ['What is in the above image?'],
      images: ['iVBORw0KGgo='],
      documents: ['JVBERi0='],
      tools: [{ name: 'look', schema: { type: 'object' } }],
      calls: [{ id: 'toolu_1', name: 'look', args: { a: 1 } }],
      results: [{ id: 'toolu_1', text: 'Sunny.' }],
      proofs: ['RXFRQg=='],
      schema: { type: 'object', additionalProperties: false },
      reasoning: true,
      maxTokens: 4096,
    });
  });

  it.each<[string, JsonObject]>([
    ['max_completion_tokens: is not a member', { max_completion_tokens: 9 }],
    ['max_tokens: must be at least 1', { max_tokens: 0 }],
    ['messages[0].role: is "system"', { messages: [{ role: 'system', content: 'a' }, user] }],
    [
      'system messages must follow a user message',
      { model: 'claude-opus-5', messages: [{ role: 'system', content: 'a' }, user] },
    ],
    ['must use the "user" role', { messages: [{ role: 'assistant', content: 'a' }] }],
    ['must have non-empty content', { messages: [{ role: 'user', content: '' }] }],
    ['must be non-empty', { messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] }],
    ['no call with the id "toolu_1"', { tools, messages: [{ role: 'user', content: [result] }] }],
    ['the calls toolu_1 have no results', { tools, messages: [user, calling, user] }],
    [
      'results must come before other content',
      {
        tools,
        messages: [
          user,
          { role: 'assistant', content: [use, { ...use, id: 'b' }] },
          { role: 'user', content: [result, { type: 'text', text: 'a' }, { ...result, tool_use_id: 'b' }] },
        ],
      },
    ],
    ['must define tools', { messages: [user, calling, { role: 'user', content: [result] }] }],
    ['tool_choice: may only be specified', { tool_choice: { type: 'auto' } }],
    ['input_schema.type: is required', { tools: [{ name: 'look', input_schema: {} }] }],
    ['budget_tokens: must be at least 1024', { max_tokens: 4096, thinking: { type: 'enabled', budget_tokens: 9 } }],
    ['must be greater than thinking.budget_tokens', { thinking: { type: 'enabled', budget_tokens: 1024 } }],
    ['"adaptive" is not supported', { thinking: { type: 'adaptive' } }],
    ['"enabled" is not supported', { model: 'claude-opus-4-7', thinking: { type: 'enabled', budget_tokens: 1024 } }],
    ['does not support the effort', { output_config: { effort: 'low' } }],
    ['temperature: must be from 0 to 1', { temperature: 1.5 }],
    ['top_p: temperature and top_p', { temperature: 1, top_p: 0.9 }],
    [
      'additionalProperties must be false',
      { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
    ],
    [
      'is not a value that this vendor made',
      { messages: [user, { role: 'assistant', content: [{ type: 'thinking', thinking: 'a', signature: 'gw1.a.b' }] }] },
    ],
    [
      'is not of the type image/png',
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: '/9j/4AAQ' } }],
          },
        ],
      },
    ],
  ])('rejects an invalid request: %s', (reason, body) => {
    expect(() => hear(body)).toThrow(reason);
  });

  it.each([
    ['claude-opus-4-6', { type: 'adaptive' }],
    ['claude-opus-4-6', { type: 'enabled', budget_tokens: 1024 }],
    ['claude-sonnet-4-20250514', { type: 'enabled', budget_tokens: 1024 }],
    ['claude-sonnet-5', { type: 'adaptive' }],
  ])('accepts for %s the thinking options %j', (model, thinking) => {
    expect(hear({ model, thinking, max_tokens: 4096 }).reasoning).toBe(true);
  });

  it('requires the header anthropic-version', () => {
    const body = { model: 'claude-sonnet-4-5', max_tokens: 1, messages: [user] };
    expect(() => messagesDriver.hear(received('/v1/messages', body))).toThrow('anthropic-version: header is required.');
  });

  it('reads the model from the path and the version from the body on Vertex AI', () => {
    const place = '/v1/projects/p/locations/global/publishers/anthropic/models/claude-sonnet-4-5%4020250929';
    const body = { anthropic_version: 'vertex-2023-10-16', max_tokens: 1, messages: [user] };
    const heard = messagesDriver.hear(received(`${place}:streamRawPredict`, { ...body, stream: true }));
    expect(heard).toMatchObject({ model: 'claude-sonnet-4-5@20250929', stream: true });
    const named = received(`${place}:rawPredict`, { ...body, model: 'claude-sonnet-4-5' });
    expect(() => messagesDriver.hear(named)).toThrow('model: is not a member');
  });
});

describe("an answer of the simulated Messages API, read by Anthropic's library", () => {
  const ask = async (scenario: string, more: object = {}) => {
    await using upstream = await startDriver(messagesDriver, scenario);
    const client = new Anthropic({ apiKey: 'k', baseURL: upstream.origin, maxRetries: 0 });
    const request = {
      model: 'claude-sonnet-4-5',
      max_tokens: 4096,
      messages: [{ role: 'user' as const, content: 'Hi.' }],
      ...more,
    };
    const whole = await client.messages.create(request);
    const stream = client.messages.stream(request);
    const types: string[] = [];
    stream.on('streamEvent', ({ type }) => types.push(type));
    return { whole, streamed: await stream.finalMessage(), types };
  };

  it('has the same calls whole and in a stream', async () => {
    const { whole, streamed, types } = await ask('tools');
    for (const message of [whole, streamed]) {
      expect(message).toMatchObject({ stop_reason: 'tool_use', usage: { input_tokens: 21, output_tokens: 9 } });
      expect(message.content).toMatchObject([
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_use', id: 'call_graz', name: 'get_weather', input: { city: 'Graz', days: 2 } },
      ]);
    }
    expect(types.filter((type) => type === 'content_block_delta').length).toBeGreaterThan(6);
  });

  it('has thinking only if the request enables it', async () => {
    const { whole, streamed } = await ask('reasoning', { thinking: { type: 'enabled', budget_tokens: 1024 } });
    for (const { content } of [whole, streamed])
      expect(content[0]).toEqual({ type: 'thinking', thinking: 'One and one is two.', signature: 'c2lnbmF0dXJl' });
    const bare = await ask('reasoning');
    expect(bare.whole.content).toEqual([{ type: 'text', text: 'Two.' }]);
  });

  it.each([
    ['refusal', 'refusal'],
    ['max tokens', 'max_tokens'],
    ['text', 'end_turn'],
  ])('ends with the stop reason of the scenario %s', async (scenario, reason) => {
    const { whole, streamed } = await ask(scenario);
    expect([whole.stop_reason, streamed.stop_reason]).toEqual([reason, reason]);
    expect(streamed.content).toEqual(whole.content);
  });

  it('is an error with the status 429 if the provider limits the rate', async () => {
    await expect(ask('error')).rejects.toMatchObject({
      status: 429,
      error: { type: 'error', error: { type: 'rate_limit_error', message: 'Slow down, please.' } },
    });
  });
});
