import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { anthropicStream } from '../../support/vendors/anthropic-wire.ts';
import { openaiStream } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;
/** The text before each event of the stream, and after the last. */
let between = '';

const streams: Readonly<Record<string, readonly string[]>> = {
  openai: openaiStream({ text: 'It rains.' }),
  anthropic: anthropicStream({ text: 'It rains.' }),
  google: [
    { candidates: [{ content: { role: 'model', parts: [{ text: 'It ' }] }, index: 0 }] },
    { candidates: [{ content: { role: 'model', parts: [{ text: 'rains.' }] }, index: 0, finishReason: 'STOP' }] },
  ].map((frame) => `data: ${JSON.stringify(frame)}\n\n`),
  cohere: [
    { type: 'message-start', id: 'a', delta: { message: { role: 'assistant' } } },
    { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
    { type: 'content-delta', index: 0, delta: { message: { content: { text: 'It rains.' } } } },
    { type: 'content-end', index: 0 },
    { type: 'message-end', delta: { finish_reason: 'COMPLETE' } },
  ].map((frame) => `event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`),
};

beforeAll(async () => {
  [gateway, upstream] = await Promise.all([startGateway(), startUpstream()]);
  upstream.handle((call) => {
    const provider = call.request.path.split('/')[1] ?? '';
    const stream = call.sse();
    for (const frame of streams[provider] ?? []) stream.send(between + frame);
    stream.send(between);
    stream.end();
  });
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

const readHeaders = (provider: string, more: JsonObject): Record<string, string> => ({
  'x-gw-config': JSON.stringify({
    provider,
    api_key: 'k',
    custom_host: `${upstream.origin}/${provider}`,
    ...more,
  }),
});
const ask = { model: 'a-model', messages: [{ role: 'user' as const, content: 'Does it rain?' }] };

const byAnthropic = async (provider: string, more: JsonObject): Promise<unknown> => {
  const defaultHeaders = readHeaders(provider, more);
  const client = new Anthropic({ baseURL: gateway.origin, apiKey: 'not-sent', maxRetries: 0, defaultHeaders });
  return await client.messages.stream({ ...ask, max_tokens: 50 }).finalText();
};
const byOpenai = async (provider: string, more: JsonObject): Promise<unknown> => {
  const defaultHeaders = readHeaders(provider, more);
  const client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: 'not-sent', maxRetries: 0, defaultHeaders });
  return await client.chat.completions.stream(ask).finalContent();
};

const checked: JsonObject = {
  output_guardrails: [{ 'default.contains': { operator: 'none', words: ['snow'] }, deny: true }],
};

const cells = ['data:\n\n', 'data: \n\n', 'event: ping\ndata:\n\n'].flatMap((blank) =>
  (
    [
      ['openai', byAnthropic],
      ['google', byAnthropic],
      ['cohere', byAnthropic],
      ['google', byOpenai],
      ['cohere', byOpenai],
      ['anthropic', byOpenai],
    ] as const
  ).flatMap(([provider, client]) => [{}, checked].map((more) => ({ blank, provider, client, more }))),
);

describe('a translated stream with events without data', () => {
  it.each(cells)(
    'is complete with $blank of $provider, for $client.name with $more',
    async ({ blank, provider, client, more }) => {
      between = blank;
      expect(await client(provider, more)).toBe('It rains.');
    },
  );
});
