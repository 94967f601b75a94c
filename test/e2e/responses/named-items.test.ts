import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, type ModelMessage, streamText } from 'ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../schema/json.ts';
import { type GatewayProcess, startGateway } from '../../support/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/upstream-server.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

const args = { city: 'Graz' };
const gemini = (parts: readonly JsonObject[]): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 4, totalTokenCount: 9 },
  modelVersion: 'gemini-3-pro-preview',
});
const called = [
  { text: 'Let me look.' },
  { functionCall: { id: 'c1', name: 'weather', args }, thoughtSignature: 'c2lnbmVk' },
];
const cohere = (message: JsonObject): JsonObject => ({
  id: 'a-1',
  message: { role: 'assistant', ...message },
  finish_reason: message.tool_calls === undefined ? 'COMPLETE' : 'TOOL_CALL',
  usage: { tokens: { input_tokens: 5, output_tokens: 4 } },
});
const cohereCall = { id: 'c1', type: 'function', function: { name: 'weather', arguments: JSON.stringify(args) } };
const cohereEvents = (hasResult: boolean): readonly JsonObject[] => [
  { type: 'message-start', id: 'a-1', delta: { message: { role: 'assistant' } } },
  ...(hasResult
    ? [
        { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
        { type: 'content-delta', index: 0, delta: { message: { content: { text: 'It rains.' } } } },
        { type: 'content-end', index: 0 },
      ]
    : [
        { type: 'tool-plan-delta', delta: { message: { tool_plan: 'Let me look.' } } },
        { type: 'tool-call-start', index: 0, delta: { message: { tool_calls: cohereCall } } },
        { type: 'tool-call-end', index: 0 },
      ]),
  { type: 'message-end', delta: { finish_reason: hasResult ? 'COMPLETE' : 'TOOL_CALL' } },
];

beforeAll(async () => {
  [gateway, upstream] = await Promise.all([startGateway(), startUpstream()]);
  upstream.handle((call) => {
    const { path, body } = call.request;
    const hasResult = /functionResponse|"role":"tool"/.test(body.toString());
    const isGemini = path.includes('generateContent') || path.includes('streamGenerateContent');
    const whole = isGemini
      ? gemini(hasResult ? [{ text: 'It rains.' }] : called)
      : cohere(
          hasResult
            ? { content: [{ type: 'text', text: 'It rains.' }] }
            : { tool_plan: 'Let me look.', tool_calls: [cohereCall] },
        );
    const isStream = path.includes('streamGenerateContent') || JSON.parse(body.toString()).stream === true;
    if (!isStream) return call.json(whole);
    const stream = call.sse();
    for (const event of isGemini ? [whole] : cohereEvents(hasResult)) stream.frame(event, event.type as string);
    stream.end();
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const headersOf = (provider: string, key = 'k'): Record<string, string> => ({
  'x-gw-config': JSON.stringify({ provider, api_key: key, custom_host: upstream.origin }),
});
const sent = (): JsonObject => JSON.parse(upstream.requests.at(-1)?.body.toString() ?? '{}');
const tools = {
  weather: {
    inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } }),
  },
};

/** One step of Vercel's library with the responses API, which is its default. */
const step = async (provider: string, messages: ModelMessage[], stream: boolean) => {
  const model = createOpenAI({ baseURL: gateway.baseUrl, apiKey: 'not-sent', headers: headersOf(provider) })('a-model');
  const params = { model, messages, tools, maxRetries: 0 };
  if (!stream) return await generateText(params);
  const result = streamText({ ...params, onError: () => undefined });
  await result.consumeStream();
  const { messages: answered } = await result.response;
  return { text: await result.text, toolCalls: await result.toolCalls, response: { messages: answered } };
};

const cells = ['google', 'cohere'].flatMap((provider) => [false, true].map((stream) => ({ provider, stream })));

describe("a tool loop of Vercel's library with the responses API", () => {
  it.each(cells)('goes on at $provider, streamed: $stream', async ({ provider, stream }) => {
    const question: ModelMessage = { role: 'user', content: 'How is the weather in Graz?' };
    const first = await step(provider, [question], stream);
    const [call] = first.toolCalls;
    expect(call).toMatchObject({ toolName: 'weather', input: args });
    const result: ModelMessage = {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: call?.toolCallId ?? '',
          toolName: 'weather',
          output: { type: 'text', value: 'rain' },
        },
      ],
    };
    const second = await step(provider, [question, ...first.response.messages, result], stream);
    expect(second.text).toBe('It rains.');
    if (provider === 'google')
      expect(sent().contents).toMatchObject([
        { role: 'user' },
        { role: 'model', parts: [{ text: 'Let me look.' }, { functionCall: { args }, thoughtSignature: 'c2lnbmVk' }] },
        { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { output: 'rain' } } }] },
      ]);
    else expect(sent().messages).toMatchObject([{ role: 'user' }, { tool_calls: [cohereCall] }, { role: 'tool' }]);
  });
});

describe('an item that is named by its id', () => {
  const client = (key?: string): OpenAI =>
    new OpenAI({
      baseURL: gateway.baseUrl,
      apiKey: 'not-sent',
      maxRetries: 0,
      defaultHeaders: headersOf('google', key),
    });
  const ask = { model: 'gemini-3-pro-preview', input: 'How is the weather in Graz?' };
  const referring = (id: string): OpenAI.Responses.ResponseCreateParamsNonStreaming => ({
    ...ask,
    input: [
      { role: 'user', content: 'How is the weather in Graz?' },
      { type: 'item_reference', id },
      { role: 'user', content: 'And now?' },
    ],
  });
  const idOf = async (more: { store?: boolean } = {}, key?: string): Promise<string> => {
    const { output } = await client(key).responses.create({ ...ask, ...more });
    return output.find(({ type }) => type === 'message')?.id ?? '';
  };

  it('is found', async () => {
    await client().responses.create(referring(await idOf()));
    expect(sent().contents).toMatchObject([
      { role: 'user' },
      { role: 'model', parts: [{ text: 'Let me look.' }] as Json },
      { role: 'user' },
    ]);
  });

  it.each<[string, () => Promise<string>]>([
    ['of nobody', async () => 'msg_of_nobody'],
    ['of an answer that says store: false', () => idOf({ store: false })],
    ["of another caller's credential", () => idOf({}, "another's")],
  ])('is a clear 400 if it is %s', async (_, id) => {
    const before = await id();
    const asked = upstream.requests.length;
    await expect(client().responses.create(referring(before))).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('input[1] is a reference to a stored item'),
    });
    expect(upstream.requests).toHaveLength(asked);
  });
});
