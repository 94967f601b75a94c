import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import type { TestUpstream } from '../../support/servers/upstream-server.ts';
import { answered, args, cohereCall, geminiContents, question, startWeather, step } from './weather-loop.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

beforeAll(async () => {
  [gateway, upstream] = await Promise.all([startGateway(), startWeather()]);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const toHeaders = (provider: string, key = 'k'): Record<string, string> => ({
  'x-gw-config': JSON.stringify({ provider, api_key: key, custom_host: upstream.origin }),
});
const sent = (): JsonObject => JSON.parse(upstream.requests.at(-1)?.body.toString() ?? '{}');
const cells = ['google', 'cohere'].flatMap((provider) => [false, true].map((stream) => ({ provider, stream })));

describe("a tool loop of Vercel's library with the responses API", () => {
  it.each(cells)('continues at $provider, streamed: $stream', async ({ provider, stream }) => {
    const client = { baseURL: gateway.baseUrl, headers: toHeaders(provider) };
    const first = await step(client, [question], stream);
    expect(first.toolCalls).toMatchObject([{ toolName: 'weather', input: args }]);
    const second = await step(client, answered(first), stream);
    expect(second.text).toBe('It rains.');
    if (provider === 'google') expect(sent().contents).toMatchObject(geminiContents);
    else expect(sent().messages).toMatchObject([{ role: 'user' }, { tool_calls: [cohereCall] }, { role: 'tool' }]);
  });
});

describe('an item that a request names by its id', () => {
  const client = (key?: string): OpenAI =>
    new OpenAI({
      baseURL: gateway.baseUrl,
      apiKey: 'not-sent',
      maxRetries: 0,
      defaultHeaders: toHeaders('google', key),
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
  const readId = async (more: { store?: boolean } = {}, key?: string): Promise<string> => {
    const { output } = await client(key).responses.create({ ...ask, ...more });
    return output.find(({ type }) => type === 'message')?.id ?? '';
  };

  it('is found', async () => {
    await client().responses.create(referring(await readId()));
    expect(sent().contents).toMatchObject([
      { role: 'user' },
      { role: 'model', parts: [{ text: 'Let me look.' }] as Json },
      { role: 'user' },
    ]);
  });

  it.each<[string, () => Promise<string>]>([
    ['an item that does not exist', async () => 'msg_of_nobody'],
    ['an item of a response with store: false', () => readId({ store: false })],
    ["an item of another caller's credential", () => readId({}, "another's")],
  ])('is rejected with a clear 400 if it is %s', async (_, id) => {
    const before = await id();
    const asked = upstream.requests.length;
    await expect(client().responses.create(referring(before))).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('input[1] is a reference to a stored item'),
    });
    expect(upstream.requests).toHaveLength(asked);
  });
});
