import { describe, expect, it } from 'vitest';
import { cohere } from '../../../../plugins/dialects/cohere/cohere.ts';
import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import { foldAnswer } from '../../../../schema/conversation/fold-answer.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';
import { answerOptions, chatCodec, cohereCodec, here, streamVia } from '../support/codecs.ts';
import { fixture } from '../support/fixture.ts';
import { toEvents, toFrames, toText } from '../support/frames.ts';

const decodeFixture = (name: string): readonly AnswerEvent[] =>
  toEvents(cohereCodec.streamDecoder({ ...here, model: 'command-a-03-2025' }), toFrames(fixture(name)));
const decodeEvents = (...events: readonly object[]): readonly AnswerEvent[] =>
  toEvents(
    cohereCodec.streamDecoder(here),
    events.map((event) => ({ data: JSON.stringify(event) })),
  );
const toClasses = (name: string): readonly string[] => toFrames(fixture(name)).map((frame) => cohere.classify(frame));

const end = { type: 'message-end', delta: { finish_reason: 'COMPLETE' } };

describe('a decoded Cohere stream', () => {
  it('has the thinking of a block whose text is empty', () => {
    const content = { type: 'thinking', thinking: 'Hm.', text: '' };
    const begun = { type: 'content-start', index: 0, delta: { message: { content } } };
    expect(decodeEvents(begun, end)).toContainEqual(expect.objectContaining({ kind: 'reasoning', text: 'Hm.' }));
  });

  it('has its plan as reasoning, its calls with their arguments, and its usage', () => {
    expect(foldAnswer(decodeFixture('cohere-tool-calls.sse'))).toMatchObject({
      id: 'c14c80c3-1',
      model: 'command-a-03-2025',
      choices: [
        {
          parts: [
            { kind: 'reasoning', text: 'I will look up both.' },
            { kind: 'tool-call', id: 'weather_1', name: 'weather', arguments: '{\n    "city": "Graz"}' },
            { kind: 'tool-call', id: 'time_1', name: 'time', arguments: '{}' },
          ],
          finish: { reason: 'tool-calls', raw: 'TOOL_CALL' },
        },
      ],
      usage: { input: 913, output: 83, cacheRead: 640 },
    });
  });

  it('has its thinking, and the citations and probabilities of its text', () => {
    const span = { from: 3, to: 8 };
    expect(foldAnswer(decodeFixture('cohere-citations.sse')).choices[0]?.parts).toEqual([
      { kind: 'reasoning', text: 'The document says it.' },
      {
        kind: 'text',
        text: 'It rains in Graz.',
        logprobs: [{ token: 'It rains', logprob: -0.75 }],
        citations: [
          { title: 'Weather', quote: 'Rain in Graz.', source: 0, span },
          { url: 'https://w.example/graz', source: 'weather_1:0', span },
        ],
      },
    ]);
  });

  it('fails with the error of the provider if the provider gave up', () => {
    expect(decodeFixture('cohere-timeout.sse').at(-1)).toEqual({
      kind: 'error',
      error: { message: 'The model took too long.', code: 'TIMEOUT' },
    });
    expect(decodeEvents({ type: 'message-end', delta: { finish_reason: 'ERROR' } })).toEqual([
      { kind: 'error', error: { message: 'The answer ended with ERROR.', code: 'ERROR' } },
    ]);
  });

  it.each([1, 5, 9])('fails if it is cut off after %i events', (count) => {
    const frames = toFrames(fixture('cohere-tool-calls.sse')).slice(0, count);
    expect(toEvents(cohereCodec.streamDecoder(here), frames).at(-1)).toMatchObject({ kind: 'error' });
  });

  it('has the calls that no event ended, and calls that share an index', () => {
    const start = (id: string): object => ({
      type: 'tool-call-start',
      delta: { message: { tool_calls: { id, type: 'function', function: { name: 'f', arguments: '' } } } },
    });
    const calls = foldAnswer(decodeEvents({ type: 'message-start', id: 'm' }, start('a'), start('b'), end)).choices[0]
      ?.parts;
    expect(calls).toEqual([
      { kind: 'tool-call', id: 'a', name: 'f', arguments: '{}' },
      { kind: 'tool-call', id: 'b', name: 'f', arguments: '{}' },
    ]);
  });

  it.each([
    ['neither its end nor whole arguments', '{"x":', false, 'TOOL_CALL', 'error'],
    ['its end, and arguments that are not JSON', '{"x":', true, 'TOOL_CALL', 'end'],
    ['whole arguments without its end', '{"x":1} ', false, 'TOOL_CALL', 'end'],
    ['neither its end nor any arguments', '', false, 'TOOL_CALL', 'end'],
    ['half of its arguments at the limit of tokens', '{"x":', false, 'MAX_TOKENS', 'end'],
  ])('is complete unless it ends with a call that has %s', (_what, text, hasEnd, finish, last) => {
    const toCall = (call: object): object => ({ message: { tool_calls: call } });
    const events = decodeEvents(
      { type: 'tool-call-start', index: 0, delta: toCall({ id: 'a', function: { name: 'f', arguments: '' } }) },
      ...Array.from(text, (arguments_) => ({
        type: 'tool-call-delta',
        index: 0,
        delta: toCall({ function: { arguments: arguments_ } }),
      })),
      ...(hasEnd ? [{ type: 'tool-call-end', index: 0 }] : []),
      { type: 'message-end', delta: { finish_reason: finish } },
    );
    expect(events.at(-1)).toMatchObject(
      last === 'end' ? { kind: 'end' } : { kind: last, error: { code: 'stream-cut' } },
    );
  });

  it('has the text of a block that no event started', () => {
    const piece = { type: 'content-delta', index: 0, delta: { message: { content: { text: 'Hi' } } } };
    expect(foldAnswer(decodeEvents(piece, end)).choices[0]?.parts).toEqual([{ kind: 'text', text: 'Hi' }]);
  });

  it('ignores debugging events and unknown events', () => {
    expect(decodeEvents({ type: 'debug', prompt: 'x' }, { type: 'news' }, end).map(({ kind }) => kind)).toEqual([
      'finish',
      'end',
    ]);
  });
});

describe('the class of a Cohere frame', () => {
  it('is correct for each frame from message-start to message-end', () => {
    expect(toClasses('cohere-citations.sse')).toEqual([
      'preamble',
      'preamble',
      'content',
      'preamble',
      'preamble',
      'content',
      'content',
      'preamble',
      'content',
      'preamble',
      'content',
      'preamble',
      'end',
    ]);
    expect(toClasses('cohere-tool-calls.sse').slice(0, 4)).toEqual(['preamble', 'content', 'content', 'content']);
    expect(toClasses('cohere-timeout.sse').at(-1)).toBe('error');
  });

  it.each([
    ['an end without an event name', JSON.stringify(end), 'end'],
    ['an end with an error', '{"type":"message-end","delta":{"finish_reason":"ERROR"}}', 'error'],
    ['text that is not JSON', 'upstream said no', 'content'],
    [
      'a block that begins with text',
      '{"type":"content-start","delta":{"message":{"content":{"type":"text","text":"Hi"}}}}',
      'content',
    ],
    ['an unknown event', '{"type":"news"}', 'preamble'],
  ])('is correct for %s', (_what, data, kind) => {
    expect(cohere.classify({ data })).toBe(kind);
  });

  it('relies on an error mark that every error contains', () => {
    expect(toText([cohere.encodeStreamError(errorReport('stream-cut', {}))])).toContain(cohere.errorMark);
    expect(fixture('cohere-timeout.sse')).toContain(cohere.errorMark);
  });
});

describe('a stream for a Cohere client', () => {
  const write = (...events: readonly AnswerEvent[]): readonly object[] => {
    const encoder = cohereCodec.streamEncoder(answerOptions);
    const frames = [...events.flatMap((event) => encoder.push(event)), ...encoder.end()];
    return frames.map(({ event, data }) => {
      const { type, ...rest } = JSON.parse(data) as { type: string };
      expect(event).toBe(type);
      return { type, ...rest };
    });
  };
  const at = { choice: 0, block: 0 };
  const stop: AnswerEvent = { kind: 'finish', choice: 0, finish: { reason: 'stop' } };

  it('has the events that clients expect, in order', () => {
    const relayed = toFrames(streamVia(chatCodec, cohereCodec, fixture('chat-tool-calls.sse')));
    expect(relayed.map(({ event }) => event).filter((name, index, all) => name !== all[index - 1])).toEqual([
      'message-start',
      'content-start',
      'content-delta',
      'content-end',
      'tool-call-start',
      'tool-call-delta',
      'tool-call-end',
      'tool-call-start',
      'tool-call-delta',
      'tool-call-end',
      'message-end',
    ]);
    const starts = relayed.filter(({ event }) => event === 'tool-call-start');
    expect(starts.map(({ data }) => JSON.parse(data).index)).toEqual([0, 1]);
  });

  it('has a citation after the text that it supports', () => {
    const citation = { source: 0, span: { from: 0, to: 2 } };
    expect(
      write({ kind: 'text', ...at, text: 'It rains.' }, { kind: 'citation', ...at, citation }, stop),
    ).toMatchObject([
      { type: 'message-start', id: 'gw-1' },
      { type: 'content-start', index: 0 },
      { type: 'content-delta', delta: { message: { content: { text: 'It rains.' } } } },
      { type: 'citation-start', index: 0, delta: { message: { citations: { text: 'It', content_index: 0 } } } },
      { type: 'citation-end', index: 0 },
      { type: 'content-end', index: 0 },
      { type: 'message-end', delta: { finish_reason: 'COMPLETE' } },
    ]);
  });

  it('has the input of a custom tool as one JSON string, however it is split', () => {
    const pieces = ['sel', 'ect "1"', '\ud83d', '\ude00'];
    const call: AnswerEvent = { kind: 'tool-call', ...at, id: 'c', name: 'sql', input: 'text' };
    const encoder = cohereCodec.streamEncoder(answerOptions);
    const events: readonly AnswerEvent[] = [
      { kind: 'start', id: 'a', model: '' },
      call,
      ...pieces.map((text): AnswerEvent => ({ kind: 'tool-arguments', ...at, text })),
      stop,
      { kind: 'end' },
    ];
    const frames = events.flatMap((event) => encoder.push(event));
    expect(foldAnswer(toEvents(cohereCodec.streamDecoder(here), frames)).choices[0]?.parts).toEqual([
      { kind: 'tool-call', id: 'c', name: 'sql', arguments: 'select "1"😀', input: 'text' },
    ]);
  });

  it('ends with a message-end that reports the error if it fails, and sends nothing after it', () => {
    const encoder = cohereCodec.streamEncoder(answerOptions);
    encoder.push({ kind: 'text', ...at, text: 'Hi' });
    const report = errorReport('stream-cut', {});
    expect(encoder.fail(report).map(({ data }) => JSON.parse(data))).toEqual([
      { type: 'message-end', delta: { error: report.message, finish_reason: 'ERROR' }, code: 'stream-cut' },
    ]);
    expect([...encoder.push(stop), ...encoder.end(), ...encoder.fail(report)]).toEqual([]);
  });

  it('reports that it was cut off if it has no finish reason', () => {
    expect(write({ kind: 'text', ...at, text: 'Hi' }).at(-1)).toMatchObject({ delta: { finish_reason: 'ERROR' } });
  });
});

describe('a signature in a stream for a Cohere client', () => {
  const start: AnswerEvent = { kind: 'start', id: 'a', model: 'm' };
  const signed: AnswerEvent = {
    kind: 'reasoning',
    choice: 0,
    block: 0,
    bound: { scope: 'there', kind: 'signature', value: 'c2ln' },
  };

  it('is sent with thinking, without which clients reject the event', () => {
    const encoder = cohereCodec.streamEncoder(answerOptions);
    const frames = [start, signed].flatMap((event) => encoder.push(event));
    expect(frames.map(({ data }) => JSON.parse(data)).at(-1)).toEqual({
      type: 'content-delta',
      index: 0,
      delta: { message: { content: { thinking: '', signature: 'gw1.there.c2ln' } } },
    });
  });
});
