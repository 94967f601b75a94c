import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { received, startDriver } from '../support.ts';
import { createChatDriver } from './chat-driver.ts';
import type { ChatVendor } from './chat-vendor.ts';
import {
  azureAiVendor,
  azureOpenaiVendor,
  fireworksVendor,
  groqVendor,
  mistralVendor,
  openaiVendor,
} from './chat-vendors.ts';

const vendors: Readonly<Record<string, ChatVendor>> = {
  openai: openaiVendor,
  'azure-openai': azureOpenaiVendor,
  'azure-ai': azureAiVendor,
  'mistral-ai': mistralVendor,
  groq: groqVendor,
  'fireworks-ai': fireworksVendor,
};

/** The vendors at the path of OpenAI's library. */
const atOpenaiPath = Object.entries(vendors).map(
  ([name, vendor]) => [name, { ...vendor, path: openaiVendor.path }] as const,
);

/** Every member that a vendor documents. */
const allMembers = [...new Set(Object.values(vendors).flatMap(({ members }) => members))];

const user = { role: 'user', content: 'Hi.' };
const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } };
const calling = { role: 'assistant', content: null, tool_calls: [call] };
const result = { role: 'tool', tool_call_id: 'call_1', content: 'Sunny.' };
const tools = [{ type: 'function', function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } } }];

const hear = (body: JsonObject, vendor: ChatVendor = openaiVendor, path = '/v1/chat/completions') =>
  createChatDriver(vendor).hear(received(path, { model: 'gpt-4.1', messages: [user], ...body }));

describe('the simulated chat completions API', () => {
  it('reads a request in the form of the API reference', () => {
    expect(
      hear({
        model: 'gpt-5-mini',
        messages: [
          { role: 'developer', content: 'You are a helpful assistant.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What is in this image?' },
              { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' } },
              { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
            ],
          },
          calling,
          result,
        ],
        tools,
        tool_choice: 'auto',
        reasoning_effort: 'low',
        max_completion_tokens: 100,
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'city', schema: { type: 'object', additionalProperties: false }, strict: true },
        },
      }),
    ).toEqual({
      stream: false,
      model: 'gpt-5-mini',
      system: ['You are a helpful assistant.'],
      user: ['What is in this image?'],
      images: ['iVBORw0KGgo='],
      documents: ['JVBERi0='],
      tools: [{ name: 'look', schema: { type: 'object' } }],
      calls: [{ id: 'call_1', name: 'look', args: { a: 1 } }],
      results: [{ id: 'call_1', text: 'Sunny.' }],
      proofs: [],
      schema: { type: 'object', additionalProperties: false },
      reasoning: true,
      maxTokens: 100,
    });
  });

  const open = { type: 'object', properties: { city: { type: 'string' } } };
  it.each<[string, JsonObject]>([
    ['system: is not a member', { system: 'Be brief.' }],
    ['messages: must not be empty', { messages: [] }],
    ['messages[0].role: is "model"', { messages: [{ role: 'model', content: 'a' }] }],
    ['messages[1]: no call with the id "call_1"', { messages: [user, result] }],
    ['messages[2]: the calls call_1 have no results', { messages: [user, calling, user] }],
    ['messages: the calls call_1 have no results', { messages: [user, calling] }],
    ['messages[1].content: is required without tool_calls', { messages: [user, { role: 'assistant', content: null }] }],
    ['messages[0].reasoning_content: is not a member', { messages: [{ ...user, reasoning_content: 'a' }] }],
    [
      'file.file_id: is required',
      { messages: [{ role: 'user', content: [{ type: 'file', file: { file_data: 'a' } }] }] },
    ],
    ['tools: must not be empty', { tools: [] }],
    ['tool_choice: is only allowed beside tools', { tool_choice: 'auto' }],
    ['stream_options: is only allowed with a stream', { stream_options: { include_usage: true } }],
    ['max_tokens: is not supported with this model', { model: 'gpt-5-mini', max_tokens: 9 }],
    ['max_tokens: is not allowed beside', { max_tokens: 9, max_completion_tokens: 9 }],
    [
      'additionalProperties must be false',
      { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: open, strict: true } } },
    ],
    [
      'required must have "city" in it',
      {
        tools: [
          {
            type: 'function',
            function: { name: 'a', strict: true, parameters: { ...open, additionalProperties: false } },
          },
        ],
      },
    ],
  ])('rejects an invalid request: %s', (reason, body) => {
    expect(() => hear(body)).toThrow(reason);
  });

  it.each(atOpenaiPath)('rejects every member that %s does not document, if another vendor does', (_, vendor) => {
    const foreign = allMembers.filter((name) => !vendor.members.includes(name));
    expect(foreign).not.toEqual([]);
    for (const name of foreign) expect(() => hear({ [name]: 1 }, vendor)).toThrow(`${name}: is not a member`);
  });

  it('applies the stricter rules of single vendors', () => {
    const called = { messages: [user, calling, result] };
    expect(() => hear(called, mistralVendor)).toThrow('is "call_1", which cannot be the id of a call.');
    expect(() => hear({}, azureOpenaiVendor)).toThrow('is not an operation of this vendor');
    const deployed = '/openai/deployments/my%20gpt/chat/completions?api-version=2024-10-21';
    expect(hear({}, azureOpenaiVendor, deployed).model).toBe('my gpt');
  });

  it('drops every member that Azure AI does not document if the header extra-parameters requests it', () => {
    const driver = createChatDriver(azureAiVendor);
    const foreign = allMembers.filter((name) => !azureAiVendor.members.includes(name));
    const body = { model: 'm', messages: [user] };
    const path = '/chat/completions?api-version=2024-05-01-preview';
    const plain = driver.hear(received(path, body));
    for (const name of foreign)
      expect(driver.hear(received(path, { ...body, [name]: 9 }, { 'extra-parameters': 'drop' }))).toEqual(plain);
  });
});

describe("an answer of the simulated chat completions API, read by OpenAI's library", () => {
  const ask = async (scenario: string, vendor: ChatVendor = openaiVendor) => {
    await using upstream = await startDriver(createChatDriver(vendor), scenario);
    const client = new OpenAI({ apiKey: 'k', baseURL: `${upstream.origin}/v1`, maxRetries: 0 });
    const request = { model: 'gpt-4.1', messages: [{ role: 'user' as const, content: 'Hi.' }] };
    const whole = await client.chat.completions.create(request);
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    const stream = client.chat.completions.stream({
      ...request,
      stream_options: vendor.streamUsage === 'always' ? null : { include_usage: true },
    });
    stream.on('chunk', (chunk) => chunks.push(chunk));
    return { whole, streamed: await stream.finalChatCompletion(), chunks };
  };

  it('has the same calls whole and in a stream', async () => {
    const { whole, streamed, chunks } = await ask('tools');
    expect(whole.choices[0]?.finish_reason).toBe('tool_calls');
    expect(whole.choices[0]?.message).toMatchObject({ content: 'Let me look.', refusal: null });
    const [first] = whole.choices[0]?.message.tool_calls ?? [];
    expect(first).toEqual({
      id: 'call_graz',
      type: 'function',
      function: { name: 'get_weather', arguments: '{"city":"Graz","days":2}' },
    });
    expect(streamed.choices[0]?.message.tool_calls?.[0]).toMatchObject({
      id: 'call_graz',
      function: { arguments: '{"city":"Graz","days":2}' },
    });
    expect(chunks.filter(({ choices }) => choices[0]?.delta.tool_calls !== undefined).length).toBeGreaterThan(3);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 21, completion_tokens: 9 } });
    expect(chunks[0]?.usage).toBeNull();
  });

  it('has a refusal in a separate member', async () => {
    const { whole, streamed } = await ask('refusal');
    for (const { choices } of [whole, streamed])
      expect(choices[0]).toMatchObject({
        finish_reason: 'stop',
        message: { content: whole.choices[0]?.message.content, refusal: 'I cannot help with that.' },
      });
    expect(whole.choices[0]?.message.content).toBeNull();
  });

  it.each([
    ['reasoning_content', openaiVendor, { content: 'Two.', reasoning_content: 'One and one is two.' }],
    ['reasoning', groqVendor, { content: 'Two.', reasoning: 'One and one is two.' }],
    [
      'a list',
      mistralVendor,
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'One and one is two.' }] },
          { type: 'text', text: 'Two.' },
        ],
      },
    ],
  ])('has its reasoning in %s', async (_, vendor, message) => {
    const { whole, chunks } = await ask('reasoning', vendor);
    expect(whole.choices[0]?.message).toMatchObject(message);
    expect(JSON.stringify(chunks)).toContain('"One ');
    expect(chunks.at(-1)?.usage?.total_tokens).toBe(30);
  });

  it('counts cached tokens and reasoning tokens', async () => {
    const { whole } = await ask('usage');
    expect(whole.usage).toMatchObject({
      prompt_tokens_details: { cached_tokens: 2048 },
      completion_tokens_details: { reasoning_tokens: 60 },
    });
  });

  it.each(atOpenaiPath)('ends with the reason "length" at the token limit of %s', async (_, vendor) => {
    const { whole, streamed } = await ask('max tokens', vendor);
    expect([whole, streamed].map(({ choices }) => choices[0]?.finish_reason)).toEqual(['length', 'length']);
  });

  it.each(atOpenaiPath)('is an error that the library reads, with its status and message, of %s', async (_, vendor) => {
    const message: unknown = expect.stringContaining('Slow down, please.');
    await expect(ask('error', vendor)).rejects.toMatchObject({ status: 429, message });
  });
});
