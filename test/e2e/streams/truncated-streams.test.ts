import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { anthropicStream } from '../../support/vendors/anthropic-wire.ts';
import { openaiStream, type Reply } from '../../support/vendors/openai-wire.ts';

let gateway: GatewayProcess;
let upstream: TestUpstream;

const reply: Reply = {
  text: 'Let me look.',
  toolCalls: [{ id: 'call_1', name: 'weather', arguments: '{"city":"Graz"}' }],
};
const chatEvents = openaiStream(reply, { withUsage: true });
const messagesEvents = anthropicStream(reply);

const toConfig = (provider: string): string =>
  JSON.stringify({ provider, api_key: 'callers-own-key', custom_host: `${upstream.origin}/v1` });

/** Makes the upstream stream these bytes, and then end its transfer in good order. */
const streams = (text: string): void =>
  upstream.handle((call) => {
    const stream = call.sse();
    if (text !== '') stream.send(text);
    stream.end();
  });

const ask = { model: 'a-model', messages: [{ role: 'user' as const, content: 'What is the weather in Graz?' }] };
const post = async (path: string, provider: string): Promise<{ status: number; text: string }> => {
  const answer = await fetch(`${gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-gw-config': toConfig(provider) },
    body: JSON.stringify({ ...ask, max_tokens: 200, stream: true }),
  });
  return { status: answer.status, text: await answer.text() };
};

interface Direction {
  readonly client: string;
  readonly path: string;
  readonly provider: string;
  readonly events: readonly string[];
  /** The index of the first event that completes the upstream's answer. */
  readonly last: number;
  /** Matches the events by which the client recognises a complete stream. */
  readonly cleanEnd: RegExp;
  readonly errorEvent: RegExp;
}

const directions: readonly Direction[] = [
  {
    client: 'messages client on a chat provider',
    path: '/messages',
    provider: 'openai',
    events: chatEvents,
    last: chatEvents.findIndex((event) => event.includes('"finish_reason":"tool_calls"')),
    cleanEnd: /message_stop|"stop_reason":"/,
    errorEvent: /event: error\ndata: \{"type":"error","error":\{.*\}\n\n$/,
  },
  {
    client: 'chat client on a messages provider',
    path: '/chat/completions',
    provider: 'anthropic',
    events: messagesEvents,
    last: messagesEvents.length - 1,
    cleanEnd: /\[DONE\]/,
    errorEvent: /data: \{"error":\{.*\}\n\n$/,
  },
];

beforeAll(async () => {
  [gateway, upstream] = await Promise.all([startGateway(), startUpstream()]);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

describe.each(directions)('a stream for a $client', ({ path, provider, events, last, cleanEnd, errorEvent }) => {
  const cuts = events.flatMap((event, at) => {
    const before = events.slice(0, at).join('');
    return [
      { where: `before event ${at}`, text: before, isWhole: at > last },
      { where: `in the middle of event ${at}`, text: before + event.slice(0, event.length / 2), isWhole: at > last },
      { where: `before the empty line of event ${at}`, text: before + event.trimEnd(), isWhole: at >= last },
    ];
  });

  it.each(cuts)('that ends $where has an error event unless it is complete', async ({ text, isWhole }) => {
    streams(text);
    const answer = await post(path, provider);
    if (isWhole) {
      expect(answer.status).toBe(200);
      expect(answer.text).toMatch(cleanEnd);
      expect(answer.text).not.toContain('"error"');
    } else {
      if (answer.status !== 502) expect(answer.status).toBe(200);
      if (answer.status === 200) expect(answer.text).toMatch(errorEvent);
      expect(answer.text).toMatch(/"error"/);
      expect(answer.text).not.toMatch(cleanEnd);
    }
  });

  it('that ends after its first words starts normally and then reports that it was cut', async () => {
    const words = events.findIndex((event) => event.includes('Let '));
    streams(events.slice(0, words + 1).join(''));
    const { status, text } = await post(path, provider);
    expect(status).toBe(200);
    expect(text).toContain('Let ');
    expect(text).toContain('The provider ended its stream before the answer was complete.');
  });
});

const until = (events: readonly string[], text: string): string =>
  events.slice(0, events.findIndex((event) => event.includes(text)) + 1).join('');
const without = (events: readonly string[], ...texts: readonly string[]): string =>
  events.filter((event) => !texts.some((text) => event.includes(text))).join('');

describe.each([
  ['text and [DONE] without a finish reason', 'openai', `${until(chatEvents, 'Let ')}data: [DONE]\n\n`],
  ['an incomplete tool call and [DONE]', 'openai', `${until(chatEvents, '"function":{"name"')}data: [DONE]\n\n`],
  ['everything but a finish reason', 'openai', without(chatEvents, '"finish_reason":"tool_calls"')],
  [
    'text and message_stop without message_delta',
    'anthropic',
    `${until(messagesEvents, 'Let ')}${messagesEvents.at(-1)}`,
  ],
  ['everything but message_delta', 'anthropic', without(messagesEvents, 'message_delta')],
  ['everything but message_stop', 'anthropic', without(messagesEvents, 'message_stop')],
  [
    'an incomplete tool call and the end of the message',
    'anthropic',
    `${until(messagesEvents, 'city')}${messagesEvents.slice(-2).join('')}`,
  ],
])('the official client, if a provider streams %s,', (_what, provider, text) => {
  it('gets an error instead of an answer', async () => {
    streams(text);
    const options = { apiKey: 'not-sent', maxRetries: 0, defaultHeaders: { 'x-gw-config': toConfig(provider) } };
    const read = async (): Promise<unknown> => {
      if (provider === 'anthropic') {
        const client = new OpenAI({ ...options, baseURL: gateway.baseUrl });
        for await (const chunk of await client.chat.completions.create({ ...ask, stream: true }))
          expect(chunk.choices).toBeDefined();
        return 'an answer';
      }
      return new Anthropic({ ...options, baseURL: gateway.origin }).messages
        .stream({ ...ask, max_tokens: 200 })
        .finalMessage();
    };
    await expect(read()).rejects.toThrow('The provider ended its stream before the answer was complete.');
  });
});

describe('a stream of two choices in the dialect of its client', () => {
  const choice = (index: number, delta: object, finish: string | null): string =>
    `data: ${JSON.stringify({ id: 'c', choices: [{ index, delta, finish_reason: finish }] })}\n\n`;
  const begun = choice(0, { content: 'One' }, null) + choice(1, { content: 'Two' }, null) + choice(0, {}, 'stop');

  it('reports that it was cut if it ends before one of them has finished', async () => {
    streams(begun + choice(1, { content: ' goes on' }, null));
    expect((await post('/chat/completions', 'openai')).text).toContain('before the answer was complete');
  });

  it('is passed through unchanged if it ends after both have finished', async () => {
    const complete = begun + choice(1, { content: ' goes on' }, null) + choice(1, {}, 'stop');
    streams(complete);
    expect((await post('/chat/completions', 'openai')).text).toBe(complete);
  });
});
