import { CohereClientV2 } from 'cohere-ai';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { received, startDriver } from '../support.ts';
import { cohereDriver } from './cohere-driver.ts';

const user = { role: 'user', content: 'Hi.' };
const call = { id: 'look_1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } };
const calling = { role: 'assistant', tool_plan: 'I will look.', tool_calls: [call] };
const result = { role: 'tool', tool_call_id: 'look_1', content: [{ type: 'document', document: { data: 'Sunny.' } }] };
const declared = { name: 'look', description: 'Looks.', parameters: { type: 'object' } };

const hear = (body: JsonObject) =>
  cohereDriver.hear(received('/v2/chat', { model: 'command-a-03-2025', messages: [user], ...body }));

describe('the simulated Cohere API', () => {
  it('reads a request in the form of the API reference', () => {
    expect(
      hear({
        messages: [
          { role: 'system', content: 'You respond concisely.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Describe this image' },
              { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' } },
            ],
          },
          calling,
          result,
        ],
        tools: [{ type: 'function', function: declared }],
        thinking: { type: 'enabled', token_budget: 100 },
        max_tokens: 200,
        stream: true,
      }),
    ).toEqual({
      stream: true,
      model: 'command-a-03-2025',
      system: ['You respond concisely.'],
      user: ['Describe this image'],
      images: ['iVBORw0KGgo='],
      documents: [],
      tools: [{ name: 'look', schema: { type: 'object' } }],
      calls: [{ id: 'look_1', name: 'look', args: { a: 1 } }],
      results: [{ id: 'look_1', text: 'Sunny.' }],
      proofs: [],
      reasoning: true,
      maxTokens: 200,
    });
  });

  const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
  it.each(['schema', 'json_schema'])('reads a response schema from the member %s', (name) => {
    expect(hear({ response_format: { type: 'json_object', [name]: schema } }).schema).toEqual(schema);
  });

  it.each<[string, JsonObject]>([
    ['top_p: is not a member', { top_p: 0.5 }],
    ['messages[0].role: is "developer"', { messages: [{ role: 'developer', content: 'a' }] }],
    ['content[0].type: is "document"', { messages: [{ role: 'user', content: [{ type: 'document' }] }] }],
    ['no call with the id "look_1"', { messages: [user, result] }],
    ['the calls look_1 have no results', { messages: [user, calling, user] }],
    ['must have content or tool_calls', { messages: [user, { role: 'assistant' }] }],
    ['messages[0].name: is not a member', { messages: [{ ...user, name: 'Ada' }] }],
    ['function.strict: is not a member', { tools: [{ type: 'function', function: { ...declared, strict: true } }] }],
    ['function.parameters: is required', { tools: [{ type: 'function', function: { name: 'look' } }] }],
    ['tool_choice: is "auto"', { tool_choice: 'auto' }],
    ['temperature: must be from 0 to 1', { temperature: 2 }],
    ['response_format.type: is "json_schema"', { response_format: { type: 'json_schema' } }],
    [
      'must have at least one required field',
      { response_format: { type: 'json_object', json_schema: { type: 'object' } } },
    ],
  ])('rejects an invalid request: %s', (reason, body) => {
    expect(() => hear(body)).toThrow(reason);
  });
});

describe("an answer of the simulated Cohere API, read by Cohere's library", () => {
  const ask = async (scenario: string) => {
    await using upstream = await startDriver(cohereDriver, scenario);
    const client = new CohereClientV2({ token: 'k', environment: upstream.origin, maxRetries: 0 });
    const request = { model: 'command-a-03-2025', messages: [{ role: 'user' as const, content: 'Hi.' }] };
    const whole = await client.chat(request);
    const events = [];
    for await (const event of await client.chatStream(request)) events.push(event);
    return { whole, events };
  };

  it('has the same calls whole and in a stream', async () => {
    const { whole, events } = await ask('tools');
    expect(whole).toMatchObject({
      finishReason: 'TOOL_CALL',
      message: {
        content: [{ type: 'text', text: 'Let me look.' }],
        toolCalls: [
          {
            id: 'call_graz',
            type: 'function',
            function: { name: 'get_weather', arguments: '{"city":"Graz","days":2}' },
          },
        ],
      },
      usage: { tokens: { inputTokens: 21, outputTokens: 9 } },
    });
    const text = events.map((event) => (event.type === 'content-delta' ? event.delta?.message?.content?.text : ''));
    expect(text.join('')).toBe('Let me look.');
    const args = events.map((event) =>
      event.type === 'tool-call-delta' ? event.delta?.message?.toolCalls?.function?.arguments : '',
    );
    expect(args.join('')).toBe('{"city":"Graz","days":2}');
    expect(events.at(-1)).toMatchObject({
      type: 'message-end',
      delta: { finishReason: 'TOOL_CALL', usage: { tokens: { outputTokens: 9 } } },
    });
  });

  it('has the same thinking whole and in a stream', async () => {
    const { whole, events } = await ask('reasoning');
    expect(whole.message.content).toEqual([
      { type: 'thinking', thinking: 'One and one is two.' },
      { type: 'text', text: 'Two.' },
    ]);
    const thinking = events.map((event) =>
      event.type === 'content-delta' ? event.delta?.message?.content?.thinking : '',
    );
    expect(thinking.join('')).toBe('One and one is two.');
  });

  it.each([
    ['refusal', 'COMPLETE'],
    ['max tokens', 'MAX_TOKENS'],
  ])('ends with the finish reason of the scenario %s', async (scenario, reason) => {
    const { whole, events } = await ask(scenario);
    expect(whole.finishReason).toBe(reason);
    expect(events.at(-1)).toMatchObject({ delta: { finishReason: reason } });
  });

  it('is an error with the status 429 if the provider limits the rate', async () => {
    await expect(ask('error')).rejects.toMatchObject({ statusCode: 429, body: { message: 'Slow down, please.' } });
  });
});
