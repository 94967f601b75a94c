import { describe, expect, it } from 'vitest';
import { converse } from '../../../../plugins/dialects/converse/converse.ts';
import type { Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import { awsEventStream } from '../../../../plugins/sdk/framings/aws-eventstream.ts';
import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import { foldAnswer } from '../../../../schema/conversation/fold-answer.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';
import { answerOptions, converseCodec, here, messagesCodec } from '../support/codecs.ts';
import { fixture } from '../support/fixture.ts';
import { toEvents, toFrames } from '../support/frames.ts';
import { framesOfFixture } from './frames-of-fixture.ts';

const decode = (frames: readonly Frame[]): readonly AnswerEvent[] =>
  toEvents(converseCodec.streamDecoder({ ...here, model: 'm' }), frames);
const event = (name: string, payload: object): Frame => ({ event: name, data: JSON.stringify(payload) });

const whole = framesOfFixture('converse-thinking-and-tools.txt');

describe('a stream from Bedrock', () => {
  it('is decoded into reasoning, text, calls, a finish reason and usage', () => {
    expect(foldAnswer(decode(whole))).toMatchObject({
      model: 'm',
      choices: [
        {
          finish: { reason: 'tool-calls', raw: 'tool_use' },
          parts: [
            {
              kind: 'reasoning',
              text: 'Two cities, two calls.',
              bound: { scope: 'here', kind: 'signature', value: 'c2lnbmVk' },
            },
            { kind: 'text', text: 'Checking both.' },
            { kind: 'tool-call', id: 'tooluse_1', name: 'weather', arguments: '{"city": "Lyon"}' },
            { kind: 'tool-call', id: 'tooluse_2', name: 'time', arguments: '{}' },
          ],
        },
      ],
      usage: { input: 100, output: 90, cacheRead: 50, cacheWrite: 30, cacheWriteByTtl: { '1h': 10 }, tier: 'priority' },
    });
  });

  it('is decoded into what Bedrock searched, cited text and an image', () => {
    expect(foldAnswer(decode(framesOfFixture('converse-citations.txt'))).choices[0]?.parts).toMatchObject([
      { kind: 'server-tool-call', id: 'tooluse_s', name: 'nova_grounding', arguments: '{"query":"rain"}' },
      { kind: 'server-tool-result', id: 'tooluse_s', text: 'Rain in Graz.\n{"mm":4}' },
      {
        kind: 'text',
        text: 'It rains.',
        citations: [
          { url: 'https://w.example/graz', title: 'Graz' },
          { source: 1, quote: 'Rain.', at: { unit: 'page', from: 2, to: 3 } },
        ],
      },
      { kind: 'media', media: 'image', source: { kind: 'base64', mimeType: 'image/png', data: 'iVBH' } },
    ]);
  });

  it('has the same parts after it is decoded and encoded again', () => {
    const names = ['converse-citations.txt', 'converse-thinking-and-tools.txt'];
    for (const name of names) {
      const encoder = converseCodec.streamEncoder(answerOptions);
      const frames = decode(framesOfFixture(name)).flatMap((each) => encoder.push(each));
      const plain = (list: readonly Frame[]): object =>
        foldAnswer(decode(list)).choices[0]?.parts.map((part) =>
          'bound' in part && part.bound !== undefined ? { ...part, bound: part.bound.value } : part,
        ) ?? [];
      expect(plain(frames)).toEqual(plain(framesOfFixture(name)));
    }
  });

  it('is complete once the message stops, whether its usage comes before, after or not at all', () => {
    const [stop, metadata] = [whole.at(-2), whole.at(-1)];
    if (stop === undefined || metadata === undefined) expect.unreachable();
    expect(decode(whole).at(-1)).toEqual({ kind: 'end' });
    expect(decode(whole.slice(0, -1)).at(-1)).toEqual({ kind: 'end' });
    expect(decode([...whole.slice(0, -2), metadata, stop]).at(-1)).toEqual({ kind: 'end' });
    expect(decode(whole.slice(0, -2)).at(-1)).toMatchObject({ kind: 'error', error: { code: 'stream-cut' } });
    expect(decode([...whole.slice(0, -2), metadata]).at(-1)).toMatchObject({ kind: 'error' });
  });

  it('is cut off if a call without a stop event has incomplete arguments', () => {
    const start = event('contentBlockStart', {
      contentBlockIndex: 0,
      start: { toolUse: { toolUseId: 'a', name: 'f' } },
    });
    const delta = event('contentBlockDelta', { contentBlockIndex: 0, delta: { toolUse: { input: '{"a":' } } });
    const stop = event('messageStop', { stopReason: 'tool_use' });
    expect(decode([start, delta, stop]).at(-1)).toMatchObject({ kind: 'error', error: { code: 'stream-cut' } });
    expect(decode([start, stop]).at(-1)).toEqual({ kind: 'end' });
  });

  it('fails with the message and status of an exception, and ignores what follows', () => {
    const frames = framesOfFixture('converse-throttled.txt');
    const message = 'Too many tokens, please wait before trying again.';
    expect(decode([...frames, ...whole]).slice(-2)).toEqual([
      { kind: 'text', choice: 0, block: 0, text: 'It rains' },
      { kind: 'error', error: { message, type: 'ThrottlingException', status: 429 } },
    ]);
  });

  it('fails with an error that AWS sends only in headers', () => {
    const headers = { ':message-type': 'error', ':error-code': 'InternalServerException', ':error-message': 'Oops' };
    expect(decode([{ data: '', headers }])).toEqual([
      { kind: 'error', error: { message: 'Oops', type: 'InternalServerException', status: 500 } },
    ]);
  });

  it('fails if an event is not JSON, and ignores unknown events', () => {
    expect(decode([event('news', {}), { event: 'messageStart', data: '{' }])).toEqual([
      { kind: 'error', error: { message: 'An event is not a JSON object.' } },
    ]);
  });
});

describe('a stream for a Bedrock client', () => {
  const written = (events: readonly AnswerEvent[]): readonly Frame[] => {
    const encoder = converseCodec.streamEncoder(answerOptions);
    return [...events.flatMap((each) => encoder.push(each)), ...encoder.end()];
  };
  const fromMessages = (name: string): readonly Frame[] =>
    written(toEvents(messagesCodec.streamDecoder(here), toFrames(fixture(name))));

  it('has consecutive blocks, of which only calls have a start event', () => {
    const frames = fromMessages('messages-thinking-and-tools.sse');
    expect(frames.map(({ event: name, data }) => `${name} ${data}`)).toEqual([
      'messageStart {"role":"assistant"}',
      // The block starts empty, because its thinking may be withheld.
      'contentBlockDelta {"contentBlockIndex":0,"delta":{"reasoningContent":{"text":""}}}',
      'contentBlockDelta {"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"Two cities, "}}}',
      'contentBlockDelta {"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"two calls."}}}',
      'contentBlockDelta {"contentBlockIndex":0,"delta":{"reasoningContent":{"signature":"gw1.here.c2lnbmVk"}}}',
      'contentBlockStop {"contentBlockIndex":0}',
      'contentBlockDelta {"contentBlockIndex":1,"delta":{"text":"Checking "}}',
      'contentBlockDelta {"contentBlockIndex":1,"delta":{"text":"both."}}',
      'contentBlockStop {"contentBlockIndex":1}',
      'contentBlockStart {"contentBlockIndex":2,"start":{"toolUse":{"toolUseId":"toolu_1","name":"get_weather"}}}',
      'contentBlockDelta {"contentBlockIndex":2,"delta":{"toolUse":{"input":"{\\"city\\": \\"Ly"}}}',
      'contentBlockDelta {"contentBlockIndex":2,"delta":{"toolUse":{"input":"on\\"}"}}}',
      'contentBlockStop {"contentBlockIndex":2}',
      'contentBlockStart {"contentBlockIndex":3,"start":{"toolUse":{"toolUseId":"toolu_2","name":"get_time"}}}',
      'contentBlockDelta {"contentBlockIndex":3,"delta":{"toolUse":{"input":"{}"}}}',
      'contentBlockStop {"contentBlockIndex":3}',
      'messageStop {"stopReason":"tool_use"}',
      'metadata {"usage":{"inputTokens":20,"outputTokens":90,"totalTokens":190,"cacheReadInputTokens":50,"cacheWriteInputTokens":30},"metrics":{"latencyMs":0}}',
    ]);
  });

  it('ends with an exception instead of messageStop if the provider fails', () => {
    const last = fromMessages('messages-overloaded.sse').at(-1);
    expect(last).toEqual({
      event: 'serviceUnavailableException',
      data: '{"message":"Overloaded"}',
      headers: { ':message-type': 'exception' },
    });
  });

  it('ends with an exception if it is cut off', () => {
    const encoder = converseCodec.streamEncoder(answerOptions);
    expect(encoder.end()[0]).toMatchObject({ event: 'internalServerException' });
    expect(encoder.end()).toEqual([]);
    expect(encoder.fail(errorReport('stream-cut', {}))).toEqual([]);
  });

  it('is an AWS event stream', () => {
    expect(converse.framing).toBe(awsEventStream.id);
    const writer = awsEventStream.createWriter();
    const splitter = awsEventStream.createSplitter();
    const frames = fromMessages('messages-overloaded.sse');
    const read = splitter.push(writer.write(frames)).frames.map(({ end: _end, ...frame }) => frame);
    expect(read).toEqual(frames);
  });
});

describe('the class of a Converse event', () => {
  it('changes from "preamble" to "content", "end" and "usage" in a stream', () => {
    const classes = whole.map((frame) => converse.classify(frame));
    expect(classes.slice(0, 2)).toEqual(['preamble', 'content']);
    expect(classes.slice(-2)).toEqual(['end', 'usage']);
    expect(new Set(classes)).toEqual(new Set(['preamble', 'content', 'end', 'usage']));
  });

  it('is "error" if the event name or the headers indicate one', () => {
    expect(
      framesOfFixture('converse-throttled.txt')
        .map((frame) => converse.classify(frame))
        .at(-1),
    ).toBe('error');
    expect(converse.classify({ event: 'modelStreamErrorException', data: '{}' })).toBe('error');
    expect(converse.classify({ data: '', headers: { ':message-type': 'error' } })).toBe('error');
  });

  it('is "content" for the start of a call, but "preamble" for the start of a text', () => {
    expect(converse.classify(event('contentBlockStart', { start: { toolUse: { toolUseId: 'a', name: 'f' } } }))).toBe(
      'content',
    );
    expect(converse.classify(event('contentBlockStart', { start: {} }))).toBe('preamble');
  });
});
