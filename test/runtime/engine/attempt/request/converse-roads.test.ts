import { describe, expect, it } from 'vitest';
import { chat } from '../../../../../plugins/dialects/chat/chat.ts';
import { converse } from '../../../../../plugins/dialects/converse/converse.ts';
import type { Dialect, Frame } from '../../../../../plugins/sdk/dialect/dialect.ts';
import { framings } from '../../../../../plugins/sdk/framings/framings.ts';
import { providerFraming } from '../../../../../plugins/sdk/framings/provider-framing.ts';
import { headerValue, type UpstreamRequest } from '../../../../../plugins/sdk/http/http.ts';
import { definePlugin } from '../../../../../plugins/sdk/plugin/plugin.ts';
import { defineProvider } from '../../../../../plugins/sdk/provider/provider.ts';
import { receiveBody } from '../../../../../plugins/testkit/route/received-body.ts';
import { wordEvents } from '../../../../../plugins/testkit/samples/sample-answers.ts';
import { type RunningConfig, runConfig } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';

const options = { provider: 'rock', strict: true, streamUsage: false };
const toCodec = ({ conversation }: Dialect) => {
  if (conversation === undefined) throw new Error('It does not converse.');
  return conversation;
};

const streamIn = (dialect: Dialect): Buffer => {
  const encoder = toCodec(dialect).streamEncoder(options);
  const frames = [...wordEvents(['Bon', 'jour']).flatMap((event) => encoder.push(event)), ...encoder.end()];
  return providerFraming(dialect).createWriter().write(frames);
};

/** A provider that speaks one dialect, at a path for each kind of answer, and streams in the framing of that dialect. */
const rock = (dialect: Dialect, streamed: Buffer = streamIn(dialect)): RunningConfig => {
  const paths: Readonly<Record<string, Parameters<typeof defineProvider>[0]['speaks'][string]>> = {
    chat: '/chat/completions',
    converse: ({ model = '', stream }) => `/model/${encodeURIComponent(model)}/converse${stream ? '-stream' : ''}`,
  };
  const provider = defineProvider({
    id: 'rock',
    documentation: 'here',
    baseUrl: 'https://rock.example',
    credential: 'none',
    speaks: { [dialect.id]: paths[dialect.id] ?? '/' },
    headers: () => [],
  });
  return runConfig(
    { provider: 'rock', override_params: { temperature: 0.5 } },
    {
      upstream: () => stubAnswer(streamed, { headers: ['content-type', providerFraming(dialect).contentType] }),
      plugins: [definePlugin({ name: 'rock', providers: [provider] })],
    },
  );
};

const toBody = ({ body }: UpstreamRequest): unknown =>
  body.kind === 'bytes' ? JSON.parse(Buffer.from(body.bytes).toString()) : undefined;

const askConverse = (running: RunningConfig) =>
  running.handle(
    sampleExchange(
      { messages: [{ role: 'user', content: [{ text: 'hi' }] }], inferenceConfig: { maxTokens: 9 } },
      { route: { operation: 'converse', dialect: 'converse', model: 'a.b:0', stream: true } },
    ),
  );

const framesIn = (bytes: Uint8Array): readonly Frame[] =>
  framings['aws-eventstream'].createSplitter().push(Buffer.from(bytes)).frames;

describe('Converse', () => {
  it('is served byte for byte by a provider that speaks it', async () => {
    const running = rock(converse);
    const response = await askConverse(running);
    expect(headerValue(response.headers, 'content-type')).toBe('application/vnd.amazon.eventstream');
    expect(Buffer.from((await receiveBody(response.body)).bytes).equals(streamIn(converse))).toBe(true);
    const [request] = running.upstreams.requests;
    expect(request?.path).toBe('/model/a.b%3A0/converse-stream');
    expect(request === undefined ? undefined : toBody(request)).toMatchObject({
      inferenceConfig: { maxTokens: 9, temperature: 0.5 },
    });
  });

  it('is served by a provider of another dialect, as an AWS event stream', async () => {
    const running = rock(chat);
    const response = await askConverse(running);
    const [request] = running.upstreams.requests;
    expect(request === undefined ? undefined : toBody(request)).toMatchObject({
      model: 'a.b:0',
      stream: true,
      temperature: 0.5,
    });
    const frames = framesIn((await receiveBody(response.body)).bytes);
    expect(frames.map(({ event }) => event)).toContain('messageStop');
    const decoder = toCodec(converse).streamDecoder({ scope: '' });
    const events = [...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()];
    expect(events.map((event) => (event.kind === 'text' ? event.text : '')).join('')).toBe('Bonjour');
    expect(events.at(-1)?.kind).toBe('end');
  });

  it('ends with an exception event if the stream breaks off', async () => {
    const whole = streamIn(chat).toString();
    const response = await askConverse(rock(chat, Buffer.from(whole.slice(0, whole.indexOf('"stop"')))));
    const frames = framesIn((await receiveBody(response.body)).bytes);
    expect(frames.at(-1) === undefined ? undefined : converse.classify(frames.at(-1) ?? { data: '' })).toBe('error');
    expect(frames.map((frame) => converse.classify(frame))).not.toContain('end');
  });

  it('is translated for clients of another dialect', async () => {
    const running = rock(converse);
    const params = { model: 'a.b:0', stream: true, messages: [{ role: 'user', content: 'hi' }] };
    const response = await running.handle(sampleExchange(params));
    const text = Buffer.from((await receiveBody(response.body)).bytes).toString();
    expect(headerValue(response.headers, 'content-type')).toBe('text/event-stream');
    expect(text).toContain('"content":"Bon"');
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(running.upstreams.requests[0]?.path).toBe('/model/a.b%3A0/converse-stream');
  });
});
