import Anthropic from '@anthropic-ai/sdk';
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../schema/json.ts';
import { type GatewayProcess, startGateway } from '../support/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../support/upstream-server.ts';

const signature = 'c2lnbmVk';

/** As the service streams it: https://ai.google.dev/gemini-api/docs/thought-signatures */
const frame = (parts: readonly JsonObject[], finish: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...finish }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 4, totalTokenCount: 9 },
  modelVersion: 'gemini-3-pro-preview',
  responseId: 'r1',
});
const closing: JsonObject = { text: '', thoughtSignature: signature };

let gateway: GatewayProcess;
let upstream: TestUpstream;

beforeAll(async () => {
  [gateway, upstream] = await Promise.all([startGateway(), startUpstream()]);
  upstream.handle((call) => {
    if (!call.request.path.includes('streamGenerateContent'))
      return call.json(frame([{ text: 'It rains.' }, closing], { finishReason: 'STOP' }));
    const stream = call.sse();
    for (const sent of [
      frame([{ text: 'It ' }]),
      frame([{ text: 'rains.' }]),
      frame([closing], { finishReason: 'STOP' }),
    ])
      stream.frame(sent);
    stream.end();
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const claude = (): Anthropic =>
  new Anthropic({
    baseURL: gateway.origin,
    apiKey: 'not-sent',
    maxRetries: 0,
    defaultHeaders: {
      'x-gw-config': JSON.stringify({
        provider: 'google',
        api_key: 'k',
        custom_host: `${upstream.origin}/v1beta`,
      }),
    },
  });

const ask = { model: 'gemini-3-pro-preview', max_tokens: 100 };
const question: MessageParam = { role: 'user', content: 'Does it rain?' };

const contents = (): unknown => JSON.parse(upstream.requests.at(-1)?.body.toString() ?? '{}').contents;

describe('a signature on an empty last part of Gemini', () => {
  it('leaves the text the last block of a stream', async () => {
    const message = await claude()
      .messages.stream({ ...ask, messages: [question] })
      .finalMessage();
    expect(message.content).toEqual([{ type: 'text', text: 'It rains.' }]);
  });

  it('leaves the text the last block of a whole answer, and comes back after it', async () => {
    const turn = (messages: MessageParam[]): Promise<Anthropic.Message> =>
      claude().messages.create({ ...ask, messages });
    const first = await turn([question]);
    expect(first.content).toMatchObject([{ type: 'text', text: 'It rains.' }]);
    await turn([question, { role: 'assistant', content: first.content }, { role: 'user', content: 'And now?' }]);
    expect(contents()).toEqual([
      { role: 'user', parts: [{ text: 'Does it rain?' }] },
      { role: 'model', parts: [{ text: 'It rains.' }, closing] },
      { role: 'user', parts: [{ text: 'And now?' }] },
    ]);
  });
});
