import { describe, expect, it } from 'vitest';
import type { Answer, FinishReason } from '../../../../schema/conversation/answer.ts';
import type { Part } from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { answerOptions, answerVia, chatCodec, cohereCodec, here, messagesCodec } from '../support/codecs.ts';

const usage = { billed_units: { input_tokens: 9, output_tokens: 4 }, tokens: { input_tokens: 90, output_tokens: 8 } };
const cohereAnswer = (message: JsonObject, more: JsonObject = {}): JsonObject => ({
  id: 'c14c80c3',
  message: { role: 'assistant', ...message },
  finish_reason: 'COMPLETE',
  usage,
  ...more,
});
const decode = (message: JsonObject, more: JsonObject = {}): Answer =>
  cohereCodec.decodeAnswer(cohereAnswer(message, more), { ...here, model: 'command-a-03-2025' });
const readParts = (message: JsonObject, more: JsonObject = {}): readonly Part[] =>
  decode(message, more).choices[0]?.parts ?? [];
const text: JsonObject = { type: 'text', text: 'It rains.' };
const readCall = (args: Json): JsonObject => ({
  id: 'w1',
  type: 'function',
  function: { name: 'weather', arguments: args },
});

describe('a decoded Cohere answer', () => {
  it('has the name of the called model, which the answer itself omits', () => {
    expect(decode({ content: [text] })).toEqual({
      id: 'c14c80c3',
      model: 'command-a-03-2025',
      choices: [
        { index: 0, parts: [{ kind: 'text', text: 'It rains.' }], finish: { reason: 'stop', raw: 'COMPLETE' } },
      ],
      usage: { input: 90, output: 8, billed: { input: 9, output: 4 }, raw: { cohere: usage } },
      extensions: {},
    });
  });

  it('counts billed tokens if no others are reported, and cached tokens', () => {
    const billed = { billed_units: { input_tokens: 9, output_tokens: 4 }, cached_tokens: 3 };
    expect(decode({ content: [text] }, { usage: billed }).usage).toMatchObject({ input: 9, output: 4, cacheRead: 3 });
    const searched = { billed_units: { ...billed.billed_units, search_units: 2 }, tokens: { input_tokens: 90 } };
    expect(decode({ content: [text] }, { usage: searched }).usage).toMatchObject({
      ...{ input: 90, output: 4, billed: { input: 9 }, calls: { search: 2 } },
    });
  });

  it('keeps billed units separate for a Cohere client, as Cohere does', () => {
    const body = answerVia(cohereCodec, cohereCodec, cohereAnswer({ content: [text] }), answerOptions);
    expect(body.usage).toEqual(usage);
  });

  it('has its plan as reasoning before its calls', () => {
    expect(readParts({ tool_plan: 'I will look.', tool_calls: [readCall('{"city":"Graz"}')] })).toEqual([
      { kind: 'reasoning', text: 'I will look.' },
      { kind: 'tool-call', id: 'w1', name: 'weather', arguments: '{"city":"Graz"}' },
    ]);
  });

  it.each<[Json]>([[null], [''], ['null'], [' null\n']])('has an empty object for the arguments %j', (args) => {
    expect(readParts({ tool_calls: [readCall(args)] })).toMatchObject([{ arguments: '{}' }]);
  });

  it('has one citation per source of its texts, and none of its thinking or its plan', () => {
    const of = (type: string, index: number): JsonObject => ({
      start: 3,
      end: 8,
      sources: [],
      content_index: index,
      type,
    });
    const sources = [
      { type: 'document', id: 'doc:1', document: { id: 'doc:1', title: 'T', snippet: 'Rain.' } },
      { type: 'tool', id: 'w1:0', tool_output: { url: 'https://w.example' } },
    ];
    const citations = [{ ...of('TEXT_CONTENT', 1), sources }, of('THINKING_CONTENT', 0), of('PLAN', 1)];
    const span = { from: 3, to: 8 };
    expect(readParts({ content: [{ type: 'thinking', thinking: 'Hm.' }, text], citations })).toEqual([
      { kind: 'reasoning', text: 'Hm.' },
      {
        kind: 'text',
        text: 'It rains.',
        citations: [
          { title: 'T', quote: 'Rain.', source: 1, span },
          { url: 'https://w.example', source: 'w1:0', span },
        ],
      },
    ]);
  });

  it('has the log probability of each chunk on its text', () => {
    const logprobs = [
      { text: 'It rains', token_ids: [1, 2], logprobs: [-0.5, -0.25] },
      { text: '.', token_ids: [3] },
    ];
    expect(readParts({ content: [text] }, { logprobs })).toMatchObject([
      { logprobs: [{ token: 'It rains', logprob: -0.75 }] },
    ]);
  });

  it.each<[string, FinishReason]>([
    ['COMPLETE', 'stop'],
    ['STOP_SEQUENCE', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['TOOL_CALL', 'tool-calls'],
    ['NEWS', 'other'],
  ])('maps the finish reason %s to %s', (raw, reason) => {
    expect(decode({ content: [text] }, { finish_reason: raw }).choices[0]?.finish).toEqual({ reason, raw });
  });

  it.each(['ERROR', 'TIMEOUT'])('is rejected as cut off if it ended with %s', (raw) => {
    expect(() => decode({ content: [text] }, { finish_reason: raw })).toThrow(
      `The provider reported that its answer was cut off: it ended with ${raw}. Send`,
    );
  });

  it('is rejected if it is an error or has no message', () => {
    expect(() => cohereCodec.decodeAnswer({ message: 'Gone' }, here)).toThrow('it is an error: Gone');
    expect(() => cohereCodec.decodeAnswer({}, here)).toThrow('it has no message');
  });
});

describe('an answer for a Cohere client', () => {
  it('has its texts and calls, and its usage both as billed units and as tokens', () => {
    const chatAnswer = {
      id: 'chatcmpl-1',
      model: 'gpt-4o',
      choices: [
        {
          index: 0,
          message: { content: 'Let me look.', tool_calls: [readCall('{"a":1}')] },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 2 } },
    };
    const tokens = { input_tokens: 9, output_tokens: 4 };
    expect(answerVia(chatCodec, cohereCodec, chatAnswer)).toEqual({
      id: 'chatcmpl-1',
      message: {
        role: 'assistant',
        content: [{ type: 'text', text: 'Let me look.' }],
        tool_calls: [readCall('{"a":1}')],
      },
      finish_reason: 'TOOL_CALL',
      usage: { billed_units: tokens, tokens, cached_tokens: 2 },
    });
  });

  it('has thinking with the signature that the next turn needs', () => {
    const content = [{ type: 'thinking', thinking: 'Hm.', signature: 'sig' }, text];
    const wire = answerVia(messagesCodec, cohereCodec, { id: 'm', model: 'c', content, stop_reason: 'end_turn' });
    expect(wire.message).toEqual({
      role: 'assistant',
      content: [{ type: 'thinking', thinking: 'Hm.', signature: 'gw1.here.sig' }, text],
    });
  });

  it('has citations with the text that they support, and joins adjacent ones for the same text', () => {
    const span = { from: 3, to: 8 };
    const citations = [
      { source: 0, quote: 'Rain.', span },
      { url: 'https://w.example', title: 'W', span },
      { source: 'd', span: { from: 3, to: 9 } },
    ];
    const answer: Answer = {
      id: 'a',
      model: 'm',
      choices: [{ index: 0, parts: [{ kind: 'text', text: 'It rains.', citations }], finish: { reason: 'stop' } }],
      extensions: {},
    };
    expect(cohereCodec.encodeAnswer(answer, answerOptions)).toMatchObject({
      message: {
        citations: [
          {
            start: 3,
            end: 8,
            text: 'rains',
            content_index: 0,
            type: 'TEXT_CONTENT',
            sources: [
              { type: 'document', id: 'doc:0', document: { id: 'doc:0', text: 'Rain.' } },
              { type: 'document', document: { title: 'W', url: 'https://w.example' } },
            ],
          },
          { start: 3, end: 9, text: 'rains.', sources: [{ type: 'document', id: 'd', document: { id: 'd' } }] },
        ],
      },
    });
  });
});
