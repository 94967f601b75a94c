import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../../../plugins/sdk/exchange/exchange.ts';
import { framings } from '../../../../../plugins/sdk/framings/framings.ts';
import { receiveBody } from '../../../../../plugins/testkit/route/received-body.ts';
import { errorReport } from '../../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { type ConfigWorld, runConfig } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { StubBody, stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';
import { tongueRoute, tongueWith } from '../../../../support/plugins/tongue.ts';
// Virtual time does not wait for imports.
import '../../../../../runtime/engine/attempt/answer/answer-as-stream.ts';

const openai = { provider: 'openai', api_key: '${env:KEY}' };
const groq = { provider: 'groq', api_key: '${env:KEY}' };
const anthropic = { provider: 'anthropic', api_key: '${env:KEY}' };

const headers = ['X-A', '1', 'Content-Type', 'application/json'];
const streamHeaders = ['X-A', '1', 'content-type', 'text/event-stream'];

const question = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }], stream: true };
const asksUsage = { stream_options: { include_usage: true } };

const message = {
  ...{ id: 'b', type: 'message', role: 'assistant', model: 'claude', stop_reason: 'end_turn', stop_sequence: null },
  content: [{ type: 'text', text: 'oui' }],
};
const counts = { input_tokens: 3, output_tokens: 1 };

const completion = (of: JsonObject = { role: 'assistant', content: 'yes' }) => ({
  ...{ id: 'c', object: 'chat.completion', created: 1, model: 'gpt' },
  choices: [{ index: 0, message: of, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
});

const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'gpt', provider: 'openai' };
const chunk = (delta: JsonObject, finish: string | null = null) => ({
  ...head,
  choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
});
const chunks = [chunk({ role: 'assistant', content: '' }), chunk({ content: 'yes' }), chunk({}, 'stop')] as const;
const usageChunk = {
  ...head,
  choices: [],
  usage: expect.objectContaining({ prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 }),
};

const chatting = (more: JsonObject = {}, overrides: Exchange['overrides'] = {}): Exchange =>
  sampleExchange({ ...question, ...more }, { overrides });
const messaging = (): Exchange => sampleExchange(question, { route: { operation: 'converse', dialect: 'messages' } });

/** Returns what the client gets if its provider answers with this, and the usage of its request. */
const ask = async (config: JsonObject, exchange: Exchange, world: ConfigWorld) => {
  const { handle, clock } = runConfig(config, world);
  const { status, headers: lines, body } = await handle(exchange);
  const text = Buffer.from((await clock.settle(receiveBody(body))).bytes);
  const settled = exchange.trail.findLast((event) => event.kind === 'settled');
  return {
    status,
    headers: lines,
    kind: body.kind,
    text,
    usage: settled?.kind === 'settled' ? settled.usage : undefined,
  };
};

const answering = (answer: object, more: Partial<ConfigWorld> = {}): ConfigWorld => ({
  upstream: () => stubAnswer(answer, { headers }),
  ...more,
});

const frames = (text: Buffer) =>
  framings.sse
    .createSplitter()
    .push(text)
    .frames.map(({ data }) => (data === '[DONE]' ? data : JSON.parse(data)));

describe('a whole answer to a request for a stream', () => {
  it("becomes a stream of its client's dialect, with the other headers of its provider", async () => {
    const { status, headers: lines, kind, text } = await ask(openai, chatting(), answering(completion()));
    expect([status, lines, kind]).toEqual([200, streamHeaders, 'stream']);
    expect(frames(text)).toEqual([...chunks, '[DONE]']);
  });

  it('reports its usage to the client only if that asked for it', async () => {
    const { text } = await ask(openai, chatting(asksUsage), answering(completion()));
    expect(frames(text)).toEqual([...chunks, usageChunk, '[DONE]']);
  });

  it('has its usage counted even if its client did not ask for it', async () => {
    const { text, usage } = await ask(openai, chatting(), answering(completion(), { usage: true }));
    expect(frames(text)).toEqual([...chunks, '[DONE]']);
    expect(usage).toMatchObject({ kind: 'reported', input: { total: 3 }, output: { total: 1 } });
  });

  it('reports its usage at the beginning and at the end of a message', async () => {
    const { text } = await ask(anthropic, messaging(), answering({ ...message, usage: counts }));
    const [start, ...rest] = frames(text);
    expect(start).toMatchObject({ type: 'message_start', message: { id: 'b', model: 'claude', usage: counts } });
    expect(rest).toMatchObject([
      { type: 'content_block_start' },
      { type: 'content_block_delta', delta: { text: 'oui' } },
      { type: 'content_block_stop' },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: counts },
      { type: 'message_stop' },
    ]);
  });

  it('is a message without usage if its provider reports none', async () => {
    const { text } = await ask(anthropic, messaging(), answering(message));
    const [start] = frames(text);
    expect(start).toMatchObject({ type: 'message_start', message: { id: 'b' } });
    expect(String(text)).not.toContain('usage');
  });

  it('is translated, with usage only if its client asked for that', async () => {
    const world = answering({ ...message, usage: counts });
    const plain = await ask(anthropic, chatting(), world);
    expect(plain.headers).toEqual(streamHeaders);
    expect(frames(plain.text)).toMatchObject([
      { id: 'b', choices: [{ delta: { role: 'assistant' } }] },
      { choices: [{ delta: { content: 'oui' } }] },
      { choices: [{ finish_reason: 'stop' }] },
      '[DONE]',
    ]);
    expect(String(plain.text)).not.toContain('prompt_tokens');
    const { text } = await ask(anthropic, chatting(asksUsage), world);
    expect(frames(text).at(-2)).toMatchObject({ usage: { prompt_tokens: 3, completion_tokens: 1 } });
  });

  it('is translated with usage if the format of its client requires that', async () => {
    const { text } = await ask(groq, messaging(), answering(completion()));
    expect(frames(text)).toMatchObject([
      { type: 'message_start', message: { usage: {} } },
      { type: 'content_block_start' },
      { type: 'content_block_delta', delta: { text: 'yes' } },
      { type: 'content_block_stop' },
      { type: 'message_delta', usage: counts },
      { type: 'message_stop' },
    ]);
  });

  it('loses no part in translation if its client is strict', async () => {
    const blocks = [
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'yes' },
    ];
    const world = answering(completion({ role: 'assistant', content: 'yes', content_blocks: blocks }));
    const { text } = await ask(groq, messaging(), world);
    expect(String(text)).toContain('"thinking":"hm"');
  });

  it('contains content blocks only for clients that are not strict', async () => {
    for (const strict of [true, false]) {
      const { text } = await ask(openai, chatting({}, { strict }), answering(completion()));
      expect(String(text).includes('content_blocks')).toBe(!strict);
    }
  });

  it("is written in the framing of the provider's format if the client uses that", async () => {
    const say = { say: 'yes' };
    const world = answering(say, { plugins: [tongueWith({ tongue: '/say/{model}' })] });
    const route = { ...tongueRoute, stream: true, framing: 'aws-eventstream' } as const;
    const { headers: lines, text } = await ask({ provider: 'own' }, sampleExchange({ say: 'hi' }, { route }), world);
    expect(lines).toEqual(['X-A', '1', 'content-type', framings['aws-eventstream'].contentType]);
    const { frames: found } = framings['aws-eventstream'].createSplitter().push(text);
    expect(found).toMatchObject([{ event: 'begin' }, { event: 'say', data: '{"say":"yes"}' }, { event: 'done' }]);
  });

  it('ends even if streams of its format have no end marker', async () => {
    const route = { operation: 'converse', dialect: 'gemini', model: 'm', stream: true } as const;
    const candidate = { content: { role: 'model', parts: [{ text: 'ja' }] }, finishReason: 'STOP', index: 0 };
    const world = answering({ candidates: [candidate], modelVersion: 'g' });
    const google = { provider: 'google', api_key: '${env:KEY}' };
    const { text } = await ask(google, sampleExchange({ contents: [] }, { route }), world);
    expect(frames(text)).toMatchObject([{ candidates: [{ content: { parts: [{ text: 'ja' }] } }] }, {}]);
  });

  it('fails like its transfer', async () => {
    const lost = errorReport('connection-lost', { host: 'api.openai.com', reason: 'it was closed.' });
    const body = new StubBody('', lost);
    const { status, kind, text } = await ask(openai, chatting(), {
      upstream: () => ({ kind: 'answer', status: 200, headers, body }),
    });
    expect([status, kind]).toEqual([lost.status, 'bytes']);
    expect(String(text)).toContain(lost.message);
  });

  it('gets an id from the trace if its provider sends none', async () => {
    const { id: _id, created: _created, ...anonymous } = completion();
    const { text } = await ask(openai, chatting(), answering(anonymous));
    expect(frames(text)[0]).toMatchObject({ id: 'gw-trace', created: Date.UTC(2026, 0, 1) / 1000 });
  });

  const unchanged: readonly (readonly [
    string,
    { status?: number; headers?: string[]; body?: string; asked?: Exchange },
  ])[] = [
    ['it is an error with status 200', { body: '{"error":{"message":"Busy."}}' }],
    ['it cannot be decoded', { body: '{"choices":5}' }],
    ['it is not a JSON object', { body: '[]' }],
    ['its status is 201', { status: 201 }],
    ['its encoding is unknown', { headers: [...headers, 'content-encoding', 'own'] }],
    ['its client asked for no stream', { asked: chatting({ stream: false }) }],
    [
      'it is to an operation without streams',
      { asked: sampleExchange(question, { route: { operation: 'embed', dialect: 'embeddings' } }) },
    ],
    [
      'the gateway cannot write streams of its format',
      { asked: sampleExchange(question, { route: { operation: 'image', dialect: 'images' } }) },
    ],
  ];
  it.each(unchanged)('is passed on as it came if %s', async (_why, { status = 200, body, asked, ...more }) => {
    const sent = body ?? JSON.stringify(completion());
    const lines = more.headers ?? headers;
    const response = await ask(openai, asked ?? chatting(), {
      upstream: () => stubAnswer(sent, { status, headers: lines }),
    });
    expect(response).toMatchObject({ status, headers: lines, kind: 'bytes', text: Buffer.from(sent) });
  });
});
