import { describe, expect, it } from 'vitest';
import { customMember } from '../../../../plugins/dialects/shared/request/custom-tool.ts';
import type { Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import { foldAnswer } from '../../../../schema/conversation/fold-answer.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { answerOptions, chatCodec, geminiCodec, here, messagesCodec, streamVia } from '../support/codecs.ts';
import { fixture } from '../support/fixture.ts';
import { toEvents, toFrames } from '../support/frames.ts';

const decode = (frames: readonly Frame[]): readonly AnswerEvent[] => toEvents(geminiCodec.streamDecoder(here), frames);
const frame = (value: object): Frame => ({ data: JSON.stringify(value) });
const text = (content: string, more: object = {}): Frame =>
  frame({ candidates: [{ content: { role: 'model', parts: [{ text: content }] }, index: 0, ...more }] });

describe('a stream from Gemini', () => {
  it('is decoded into thoughts, texts, signed calls and the last usage', () => {
    const events = decode(toFrames(fixture('gemini-thoughts-and-calls.sse')));
    expect(events[0]).toMatchObject({ kind: 'start', id: 'r-1_A', usage: { input: 80 } });
    expect(events.at(-1)).toEqual({ kind: 'end' });
    expect(foldAnswer(events)).toEqual({
      id: 'r-1_A',
      model: 'gemini-3-flash-preview',
      choices: [
        {
          index: 0,
          parts: [
            { kind: 'reasoning', text: 'Two cities, two calls.' },
            { kind: 'text', text: 'Checking both.' },
            { kind: 'reasoning', text: '', bound: { scope: 'here', kind: 'thought', value: 'c2lnbmVk' } },
            { kind: 'tool-call', id: 'gw-call-r-1_A-0', name: 'get_weather', arguments: '{"city":"Lyon"}' },
            { kind: 'tool-call', id: 'gw-call-r-1_A-1', name: 'get_weather', arguments: '{"city":"Nice"}' },
          ],
          finish: { reason: 'tool-calls', raw: 'STOP' },
        },
      ],
      usage: expect.objectContaining({ input: 80, output: 50, cacheRead: 64, reasoning: 20 }),
      extensions: {},
    });
  });

  it('puts partial arguments in their places', () => {
    const answer = foldAnswer(decode(toFrames(fixture('gemini-partial-calls.sse'))));
    expect(answer).toMatchObject({ created: 1_767_323_045, usage: { input: 9, output: 7, tier: 'default' } });
    const args = { rooms: [{ name: 'hall' }, { 'wall colour': null }], coats: 2, dry: false };
    expect(answer.choices[0]?.parts).toEqual([
      { kind: 'tool-call', id: 'gw-call-r2-0', name: 'paint', arguments: JSON.stringify(args) },
      { kind: 'tool-call', id: 'gw-call-r2-1', name: 'wait', arguments: '{}' },
    ]);
  });

  it.each([
    ['a call that has only arguments', { args: { a: 1 } }, [{ name: '', arguments: '{"a":1}' }], 'tool-calls'],
    [
      'pieces that continue no call',
      { partialArgs: [{ jsonPath: '$.a', numberValue: 1 }] },
      [{ name: '' }],
      'tool-calls',
    ],
    ['an empty call', {}, [], 'stop'],
  ])('has %s as a call without a name, if it has arguments', (_what, functionCall, parts, reason) => {
    const last = frame({ candidates: [{ content: { parts: [{ functionCall }] }, finishReason: 'STOP' }] });
    expect(foldAnswer(decode([last])).choices[0]).toMatchObject({ parts, finish: { reason } });
  });

  it('keeps the digits of a large number in partial arguments', () => {
    const piece = '{"jsonPath":"$.id","numberValue":1234567890123456789}';
    const data = `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"find","partialArgs":[${piece}]}}]},"finishReason":"STOP"}]}`;
    const [part] = foldAnswer(decode([{ data }])).choices[0]?.parts ?? [];
    expect(part).toMatchObject({ name: 'find', arguments: '{"id":1234567890123456789}' });
  });

  it('has the signature on an empty text after the text that it signs', () => {
    const last = frame({
      candidates: [{ content: { parts: [{ text: '', thoughtSignature: 's' }] }, finishReason: 'STOP' }],
    });
    expect(foldAnswer(decode([text('A'), text('B'), last])).choices[0]?.parts).toEqual([
      { kind: 'text', text: 'AB' },
      { kind: 'reasoning', text: '', bound: { scope: 'here', kind: 'thought', value: 's' } },
    ]);
  });

  it('has citations of earlier frames that arrive in the last frame', () => {
    const groundingMetadata = {
      groundingChunks: [{ web: { uri: 'https://a.example' } }],
      groundingSupports: [{ segment: { partIndex: 1, startIndex: 4, endIndex: 7 }, groundingChunkIndices: [0] }],
    };
    const first = frame({ candidates: [{ content: { parts: [{ text: 'H' }, { text: 'é ' }] }, index: 0 }] });
    // Each frame numbers its own parts, so the bytes count from the start of the answer.
    const events = decode([first, text('été'), text('.', { finishReason: 'STOP', groundingMetadata })]);
    expect(events).toContainEqual({
      kind: 'citation',
      choice: 0,
      block: 0,
      citation: { url: 'https://a.example', span: { from: 3, to: 5 } },
    });
  });

  it('has the log probabilities of each frame, even of one before any text', () => {
    const logprobsResult = { chosenCandidates: [{ token: 'A', logProbability: -1 }] };
    const first = frame({ candidates: [{ index: 0, logprobsResult }] });
    const events = decode([first, text('A'), text('B', { logprobsResult, finishReason: 'STOP' })]);
    expect(foldAnswer(events).choices[0]?.parts).toMatchObject([
      { logprobs: [{ token: 'A', logprob: -1 }, { token: 'A' }] },
    ]);
  });

  it('is complete once each candidate has a finish reason, and cut off before that', () => {
    const other = (more: object): Frame => frame({ candidates: [{ index: 1, ...more }] });
    const finish = { finishReason: 'STOP' };
    expect(decode([text('A', finish)]).at(-1)).toEqual({ kind: 'end' });
    expect(decode([text('A')]).at(-1)).toMatchObject({ kind: 'error', error: { code: 'stream-cut' } });
    expect(decode([]).at(-1)).toMatchObject({ kind: 'error' });
    expect(decode([text('A', finish), other({ content: { parts: [{ text: 'B' }] } })]).at(-1)).toMatchObject({
      kind: 'error',
    });
    expect(decode([text('A', finish), other(finish)]).at(-1)).toEqual({ kind: 'end' });
  });

  it.each<[string, readonly Frame[], object]>([
    [
      'the reason "length" if it reaches a limit later',
      [text('A', { finishReason: 'STOP' }), text('B', { finishReason: 'MAX_TOKENS' })],
      { reason: 'length', raw: 'MAX_TOKENS' },
    ],
    [
      'the reason "content-filter" if a filter stops it later',
      [
        text('A', { finishReason: 'STOP' }),
        frame({ candidates: [{ finishReason: 'SAFETY', finishMessage: 'No.', index: 0 }] }),
      ],
      { reason: 'content-filter', raw: 'SAFETY', details: 'No.' },
    ],
    [
      'the reason "tool-calls" if it calls a tool later',
      [
        text('A', { finishReason: 'STOP' }),
        frame({
          candidates: [{ content: { parts: [{ functionCall: { name: 'f' } }] }, finishReason: 'STOP', index: 0 }],
        }),
      ],
      { reason: 'tool-calls', raw: 'STOP' },
    ],
    [
      'the first reason if only STOP follows it',
      [text('A', { finishReason: 'MAX_TOKENS' }), text('', { finishReason: 'STOP' })],
      { reason: 'length', raw: 'MAX_TOKENS' },
    ],
  ])('with STOP in several frames ends with %s', (_, frames, finish) => {
    const events = decode(frames);
    expect(foldAnswer(events).choices[0]?.finish).toEqual(finish);
    expect(events.at(-1)).toEqual({ kind: 'end' });
    const stream = frames.map(({ data }) => `data: ${data}\n\n`).join('');
    const asMessages = foldAnswer(
      toEvents(messagesCodec.streamDecoder(here), toFrames(streamVia(geminiCodec, messagesCodec, stream))),
    );
    expect(asMessages.choices[0]?.finish.reason).not.toBe('stop');
  });

  it('is complete if the prompt was refused', () => {
    const events = decode([frame({ promptFeedback: { blockReason: 'SAFETY' } })]);
    expect(events.slice(1)).toEqual([
      { kind: 'finish', choice: 0, finish: { reason: 'blocked-prompt', raw: 'SAFETY' } },
      { kind: 'end' },
    ]);
  });

  it.each([
    ['an error', '{"error":{"code":503,"message":"Overloaded","status":"UNAVAILABLE"}}'],
    ['a list of one error', '[{"error":{"code":503,"message":"Overloaded","status":"UNAVAILABLE"}}]'],
  ])('ends with %s and ignores what follows', (_what, data) => {
    expect(decode([text('A'), { data }, text('B', { finishReason: 'STOP' })]).at(-1)).toEqual({
      kind: 'error',
      error: { message: 'Overloaded', type: 'UNAVAILABLE', status: 503 },
    });
  });

  it('fails if a frame is not JSON', () => {
    expect(decode([{ data: 'Bad gateway' }])).toEqual([
      { kind: 'error', error: { message: 'A frame is not a JSON object.' } },
    ]);
  });

  it('is translated for a chat client', () => {
    const out = streamVia(geminiCodec, chatCodec, fixture('gemini-thoughts-and-calls.sse'));
    expect(foldAnswer(toEvents(chatCodec.streamDecoder(here), toFrames(out)))).toMatchObject({
      choices: [
        {
          parts: [
            { kind: 'text', text: 'Checking both.' },
            // The signature that the call needs in the next request.
            { kind: 'reasoning', text: '', bound: { scope: 'here', value: 'c2lnbmVk' } },
            { kind: 'tool-call', arguments: '{"city":"Lyon"}' },
            { kind: 'tool-call', arguments: '{"city":"Nice"}' },
          ],
          finish: { reason: 'tool-calls' },
        },
      ],
      usage: { input: 80, output: 50 },
    });
  });
});

describe('a stream for a Gemini client', () => {
  const encoder = (): ReturnType<typeof geminiCodec.streamEncoder> => geminiCodec.streamEncoder(answerOptions);
  const at = { choice: 0, block: 0 };
  const written = (events: readonly AnswerEvent[]): readonly JsonObject[] => {
    const stream = encoder();
    return events.flatMap((event) => stream.push(event)).map(({ data }) => JSON.parse(data) as JsonObject);
  };
  const toParts = (events: readonly AnswerEvent[]): unknown =>
    written(events).flatMap(({ candidates }) => JSON.parse(JSON.stringify(candidates)).at(0).content.parts);

  it('has a frame for each piece of text, and the finish reason and usage in the last one', () => {
    expect(
      written([
        { kind: 'start', id: 'a', model: 'm' },
        { kind: 'text', ...at, text: 'Hi' },
        { kind: 'text', ...at, text: '!' },
        { kind: 'finish', choice: 0, finish: { reason: 'length' } },
        { kind: 'usage', usage: { input: 2, output: 1 } },
        { kind: 'end' },
      ]),
    ).toEqual([
      {
        candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, index: 0 }],
        modelVersion: 'm',
        responseId: 'a',
      },
      {
        candidates: [{ content: { role: 'model', parts: [{ text: '!' }] }, index: 0 }],
        modelVersion: 'm',
        responseId: 'a',
      },
      {
        candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'MAX_TOKENS', index: 0 }],
        usageMetadata: { promptTokenCount: 2, candidatesTokenCount: 1, totalTokenCount: 3 },
        modelVersion: 'm',
        responseId: 'a',
      },
    ]);
  });

  it('has whole calls in order, each with the signature before it', () => {
    const bound = { scope: 'there', kind: 'signature', value: 's' } as const;
    const piece = (block: number, content: string): AnswerEvent => ({
      kind: 'tool-arguments',
      choice: 0,
      block,
      text: content,
    });
    const thoughtSignature = Buffer.from('signature.gw1.there.s').toString('base64');
    expect(
      toParts([
        { kind: 'reasoning', ...at, bound },
        { kind: 'tool-call', choice: 0, block: 1, id: 'a', name: 'f' },
        { kind: 'tool-call', choice: 0, block: 2, id: 'b', name: 'g' },
        piece(2, '{"b"'),
        piece(1, '{"a":1}'),
        { kind: 'text', choice: 0, block: 3, text: 'Then' },
        piece(2, ':2}'),
        { kind: 'finish', choice: 0, finish: { reason: 'tool-calls' } },
      ]),
    ).toEqual([
      { functionCall: { id: 'a', name: 'f', args: { a: 1 } }, thoughtSignature },
      { text: 'Then' },
      { functionCall: { id: 'b', name: 'g', args: { b: 2 } } },
    ]);
  });

  it('has the whole call of a custom tool when its block ends', () => {
    const call: AnswerEvent = { kind: 'tool-call', ...at, id: 'a', name: 'sql', input: 'text' };
    const events: readonly AnswerEvent[] = [
      call,
      { kind: 'tool-arguments', ...at, text: '{"a":1}' },
      { kind: 'text', choice: 0, block: 1, text: 'A' },
      { kind: 'tool-arguments', ...at, text: ';' },
      { kind: 'block-end', ...at },
      { kind: 'text', choice: 0, block: 1, text: 'B' },
    ];
    expect(toParts(events)).toMatchObject([
      { text: 'A' },
      { functionCall: { name: 'sql', args: { [customMember]: '{"a":1};' } } },
      { text: 'B' },
    ]);
  });

  it('is cut off if a choice has no finish reason', () => {
    const stream = encoder();
    stream.push({ kind: 'text', ...at, text: 'Hi' });
    expect(stream.end()).toMatchObject([{ data: expect.stringContaining('"reason":"stream-cut"') }]);
    expect(stream.end()).toEqual([]);
    expect(stream.push({ kind: 'text', ...at, text: 'Hi' })).toEqual([]);
  });

  it('ends with the error of the provider', () => {
    const stream = encoder();
    const error = { message: 'Overloaded', type: 'overloaded_error', status: 529 };
    expect(stream.push({ kind: 'error', error })).toEqual([
      { data: '{"error":{"code":529,"message":"Overloaded","status":"UNAVAILABLE"}}' },
    ]);
    expect(stream.fail(errorReport('stream-cut', {}))).toEqual([]);
  });

  it('has no candidate if the prompt was refused', () => {
    const events: readonly AnswerEvent[] = [
      { kind: 'start', id: 'a', model: 'm' },
      { kind: 'finish', choice: 0, finish: { reason: 'blocked-prompt' } },
      { kind: 'end' },
    ];
    expect(written(events)).toEqual([{ promptFeedback: { blockReason: 'OTHER' }, modelVersion: 'm', responseId: 'a' }]);
  });

  it('has the reasoning, text and calls of a messages stream', () => {
    const out = streamVia(messagesCodec, geminiCodec, fixture('messages-thinking-and-tools.sse'));
    expect(foldAnswer(toEvents(geminiCodec.streamDecoder(here), toFrames(out)))).toMatchObject({
      choices: [
        {
          parts: [
            { kind: 'reasoning', text: 'Two cities, two calls.', bound: { value: 'c2lnbmVk' } },
            { kind: 'text', text: 'Checking both.' },
            { kind: 'tool-call', id: 'toolu_1', arguments: '{"city":"Lyon"}' },
            { kind: 'tool-call', id: 'toolu_2', arguments: '{}' },
          ],
          finish: { reason: 'tool-calls' },
        },
      ],
    });
  });
});
