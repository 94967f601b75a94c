import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { received, startDriver } from '../support.ts';
import { responsesDriver } from './responses-driver.ts';

const call = { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{"a":1}' };
const output = { type: 'function_call_output', call_id: 'call_1', output: 'Sunny.' };
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAAB_x-1==' };

const hear = (body: JsonObject) =>
  responsesDriver.hear(received('/v1/responses', { model: 'gpt-5-mini', input: 'Hi.', ...body }));

describe('the simulated Responses API', () => {
  it('reads a request in the form of the API reference', () => {
    expect(
      hear({
        instructions: 'You are a helpful assistant.',
        input: [
          {
            role: 'user',
            content: [
              { type: 'input_text', text: 'what is in this image?' },
              { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'auto' },
              { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
            ],
          },
          reasoning,
          call,
          output,
        ],
        tools: [
          { type: 'function', name: 'look', description: 'Looks.', parameters: { type: 'object' }, strict: false },
        ],
        reasoning: { effort: 'high', summary: 'auto' },
        include: ['reasoning.encrypted_content'],
        max_output_tokens: 100,
        text: {
          format: {
            type: 'json_schema',
            name: 'city',
            schema: { type: 'object', additionalProperties: false },
            strict: true,
          },
        },
        store: false,
        stream: true,
      }),
    ).toEqual({
      stream: true,
      model: 'gpt-5-mini',
      system: ['You are a helpful assistant.'],
      user: ['what is in this image?'],
      images: ['iVBORw0KGgo='],
      documents: ['JVBERi0='],
      tools: [{ name: 'look', schema: { type: 'object' } }],
      calls: [{ id: 'call_1', name: 'look', args: { a: 1 } }],
      results: [{ id: 'call_1', text: 'Sunny.' }],
      proofs: ['gAAAAB_x-1=='],
      schema: { type: 'object', additionalProperties: false },
      reasoning: true,
      maxTokens: 100,
    });
  });

  it.each<[string, JsonObject]>([
    ['messages: is not a member', { messages: [] }],
    ['no call with the id "call_1"', { input: [output] }],
    ['the calls call_1 have no results', { input: [call] }],
    ['without its required following item', { input: [reasoning, { role: 'user', content: 'Hi.' }] }],
    ['is not a value that this vendor made', { input: [{ ...reasoning, encrypted_content: 'gw1.a.b' }, call, output] }],
    ["Expected an ID that begins with 'fc'", { input: [{ ...call, id: 'toolu_1' }, output] }],
    ['Expected a value >= 16', { max_output_tokens: 5 }],
    ['"encrypted" is not supported', { include: ['encrypted'] }],
    ['tools[0].function: is not a member', { tools: [{ type: 'function', function: { name: 'look' } }] }],
    ['role: is "tool"', { input: [{ role: 'tool', content: 'a' }] }],
  ])('rejects an invalid request: %s', (reason, body) => {
    expect(() => hear(body)).toThrow(reason);
  });
});

describe("an answer of the simulated Responses API, read by OpenAI's library", () => {
  const ask = async (scenario: string, more: object = {}) => {
    await using upstream = await startDriver(responsesDriver, scenario);
    const client = new OpenAI({ apiKey: 'k', baseURL: `${upstream.origin}/v1`, maxRetries: 0 });
    const request = { model: 'gpt-5-mini', input: 'Hi.', ...more };
    const whole = await client.responses.create(request);
    const stream = client.responses.stream(request);
    const types: string[] = [];
    stream.on('event', ({ type }) => types.push(type));
    return { whole, streamed: await stream.finalResponse(), types };
  };

  it('has the same calls whole and in a stream', async () => {
    const { whole, streamed, types } = await ask('tools');
    expect(whole.output.map(({ type }) => type)).toEqual(['message', 'function_call']);
    expect(whole.output_text).toBe('Let me look.');
    expect(streamed.output).toMatchObject(whole.output);
    expect(types.filter((type) => type === 'response.function_call_arguments.delta')).toHaveLength(4);
    expect(types.at(-1)).toBe('response.completed');
    expect(streamed.usage).toMatchObject({ input_tokens: 21, output_tokens: 9, total_tokens: 30 });
  });

  it('has a reasoning summary and encrypted reasoning only if the request includes them', async () => {
    const { whole, streamed } = await ask('reasoning', {
      reasoning: { effort: 'low', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
    });
    for (const { output: items } of [whole, streamed])
      expect(items[0]).toMatchObject({
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'One and one is two.' }],
        encrypted_content: 'c2lnbmF0dXJl',
      });
    const bare = await ask('reasoning');
    expect(bare.whole.output[0]).toEqual({ id: expect.stringMatching(/^rs_/), type: 'reasoning', summary: [] });
  });

  it('has a refusal in a separate content part', async () => {
    const { whole, streamed } = await ask('refusal');
    for (const { output: items } of [whole, streamed])
      expect(items[0]).toMatchObject({ content: [{ type: 'refusal', refusal: 'I cannot help with that.' }] });
  });

  it('is incomplete at the token limit', async () => {
    const { whole, streamed, types } = await ask('max tokens');
    for (const response of [whole, streamed])
      expect(response).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } });
    expect(types.at(-1)).toBe('response.incomplete');
  });

  it('is an error with the status 429 if the provider limits the rate', async () => {
    await expect(ask('error')).rejects.toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
  });
});
