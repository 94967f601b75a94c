import Anthropic from '@anthropic-ai/sdk';
import type { MessageParam } from '@anthropic-ai/sdk/resources/messages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';

const signature = 'c2lnbmVk';

/** The format in which the service streams it: https://ai.google.dev/gemini-api/docs/thought-signatures */
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
    if (call.request.path.includes('/chat'))
      return call.json({
        id: 'a-1',
        message: { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }] },
        finish_reason: 'COMPLETE',
        usage: { tokens: { input_tokens: 5, output_tokens: 4 } },
      });
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

const claude = (api_key = 'k', more: JsonObject = {}): Anthropic =>
  new Anthropic({
    baseURL: gateway.origin,
    apiKey: 'not-sent',
    maxRetries: 0,
    defaultHeaders: {
      'x-gw-config': JSON.stringify({
        provider: 'google',
        api_key,
        custom_host: `${upstream.origin}/v1beta`,
        ...more,
      }),
    },
  });

const ask = { model: 'gemini-3-pro-preview', max_tokens: 100 };
const question: MessageParam = { role: 'user', content: 'Does it rain?' };

const contents = (): unknown => JSON.parse(upstream.requests.at(-1)?.body.toString() ?? '{}').contents;

describe('a signature on an empty last part of Gemini', () => {
  it('adds no block after the text of a stream', async () => {
    const message = await claude()
      .messages.stream({ ...ask, messages: [question] })
      .finalMessage();
    expect(message.content).toEqual([{ type: 'text', text: 'It rains.' }]);
  });

  it('adds no block after the text of a whole answer, and is sent back after it', async () => {
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

  describe('of a stream, which its client drops', () => {
    const streamed = async (asked: MessageParam): Promise<MessageParam[]> => {
      const { content } = await claude()
        .messages.stream({ ...ask, messages: [asked] })
        .finalMessage();
      expect(content).toEqual([{ type: 'text', text: 'It rains.' }]);
      return [asked, { role: 'assistant', content }, { role: 'user', content: 'And now?' }];
    };
    const answer = (): unknown => (contents() as JsonObject[])[1];
    const signed = { role: 'model', parts: [{ text: 'It rains.' }, closing] };
    const unsigned = { role: 'model', parts: [{ text: 'It rains.' }] };

    it('is sent back in the next turn, wherever the cache hints are', async () => {
      const messages = await streamed({
        role: 'user',
        content: [{ type: 'text', text: 'Does it rain?', cache_control: { type: 'ephemeral' } }],
      });
      await claude().messages.create({ ...ask, messages: [question, ...messages.slice(1)] });
      expect(answer()).toEqual(signed);
      const more: MessageParam[] = [...messages.slice(0, 2), { role: 'user', content: 'And tomorrow?' }];
      await claude()
        .messages.stream({ ...ask, messages: more })
        .finalMessage();
      expect(answer()).toEqual(signed);
    });

    it('is not sent back in another conversation, for another credential or with another text', async () => {
      const [asked, said, next] = (await streamed({ role: 'user', content: 'Is it wet?' })) as [
        MessageParam,
        MessageParam,
        MessageParam,
      ];
      const rains: MessageParam[] = [asked, said, next];
      await claude('another').messages.create({ ...ask, messages: rains });
      expect(answer()).toEqual(unsigned);
      await claude().messages.create({ ...ask, messages: [{ role: 'user', content: 'Is it dry?' }, said, next] });
      expect(answer()).toEqual(unsigned);
      await claude().messages.create({ ...ask, messages: [asked, { role: 'assistant', content: 'It pours.' }, next] });
      expect(answer()).toMatchObject({ parts: [{ text: 'It pours.' }] });
      await claude().messages.create({ ...ask, messages: rains });
      expect(answer()).toEqual(signed);
    });

    it('is not reported as dropped if the next turn goes to another provider', async () => {
      const messages = await streamed({ role: 'user', content: 'Is it late?' });
      const cohere = claude('k', { provider: 'cohere', custom_host: upstream.origin });
      const { response } = await cohere.messages.create({ ...ask, messages }).withResponse();
      expect(response.headers.get('x-gw-dropped-params')).toBeNull();
    });
  });
});
