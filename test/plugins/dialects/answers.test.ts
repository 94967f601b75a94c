import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { answerOptions, answerVia, chatCodec, here, messagesCodec } from './support/codecs.ts';

const chatAnswer = (message: JsonObject, finish: string, more: JsonObject = {}): JsonObject => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, logprobs: null, finish_reason: finish }],
  ...more,
});

const messagesAnswer = (content: Json, stopReason: string, more: JsonObject = {}): JsonObject => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-opus-5',
  content,
  stop_reason: stopReason,
  stop_sequence: null,
  usage: { input_tokens: 10, cache_creation_input_tokens: 20, cache_read_input_tokens: 30, output_tokens: 5 },
  ...more,
});

const call: JsonObject = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } };
const thinking: JsonObject = { type: 'thinking', thinking: 'Hm', signature: 'sig' };

describe('a messages answer for a chat client', () => {
  it('has joined texts, calls, the provider, and usage that includes cached tokens', () => {
    const content = [
      thinking,
      { type: 'text', text: 'Let me ' },
      { type: 'text', text: 'look.' },
      { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } },
    ];
    expect(answerVia(messagesCodec, chatCodec, messagesAnswer(content, 'tool_use'))).toEqual({
      id: 'msg_1',
      object: 'chat.completion',
      created: 1_760_000_000,
      model: 'claude-opus-5',
      provider: 'test',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'Let me look.',
            refusal: null,
            tool_calls: [{ id: 'toolu_1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
          },
          logprobs: null,
          finish_reason: 'tool_calls',
        },
      ],
      usage: {
        prompt_tokens: 60,
        completion_tokens: 5,
        total_tokens: 65,
        prompt_tokens_details: { cached_tokens: 30, cache_write_tokens: 20 },
      },
    });
  });

  it('has content blocks and the raw finish reason if the client is not strict', () => {
    const redacted = { type: 'redacted_thinking', data: 'xx' };
    const content = [thinking, redacted, { type: 'text', text: 'Hi' }];
    const blocks = [{ ...thinking, signature: 'gw1.here.sig' }, { ...redacted, data: 'gw1.here.xx' }, content[2] ?? {}];
    const wire = messagesAnswer(content, 'end_turn');
    expect(answerVia(messagesCodec, chatCodec, wire, { ...answerOptions, strict: false })).toMatchObject({
      choices: [{ message: { content: 'Hi', content_blocks: blocks }, finish_reason: 'end_turn' }],
    });
    expect(answerVia(messagesCodec, chatCodec, wire)).not.toHaveProperty('choices[0].message.content_blocks');
  });

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_use', 'tool_calls'],
    ['pause_turn', 'stop'],
    ['refusal', 'content_filter'],
    ['yet_to_come', 'stop'],
  ])('maps the stop reason %s to %s', (stopReason, finishReason) => {
    expect(answerVia(messagesCodec, chatCodec, messagesAnswer([], stopReason))).toMatchObject({
      choices: [{ finish_reason: finishReason, message: { content: null } }],
    });
  });
});

describe('a chat answer for a messages client', () => {
  it('has text before tool use, and excludes cached tokens from its input tokens', () => {
    const usage = {
      prompt_tokens: 80,
      completion_tokens: 7,
      total_tokens: 87,
      prompt_tokens_details: { cached_tokens: 64 },
    };
    const wire = chatAnswer({ content: 'Looking.', tool_calls: [call] }, 'tool_calls', { usage });
    expect(answerVia(chatCodec, messagesCodec, wire)).toEqual({
      id: 'chatcmpl-1',
      type: 'message',
      role: 'assistant',
      model: 'gpt-4o',
      content: [
        { type: 'text', text: 'Looking.' },
        { type: 'tool_use', id: 'call_1', name: 'f', input: { a: 1 } },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: {
        input_tokens: 16,
        output_tokens: 7,
        cache_creation_input_tokens: null,
        cache_read_input_tokens: 64,
      },
    });
  });

  it.each([
    ['reasoning_content', { reasoning_content: 'Hm', content: 'Hi' }],
    ['reasoning', { reasoning: 'Hm', content: 'Hi' }],
    [
      'thinking in a list',
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
          { type: 'text', text: 'Hi' },
        ],
      },
    ],
  ])('has %s as unsigned thinking', (_what, message) => {
    expect(answerVia(chatCodec, messagesCodec, chatAnswer(message, 'stop')).content).toEqual([
      { type: 'thinking', thinking: 'Hm', signature: '' },
      { type: 'text', text: 'Hi' },
    ]);
  });

  it.each([
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['tool_calls', 'tool_use'],
    ['function_call', 'tool_use'],
    ['content_filter', 'refusal'],
    ['eos', 'end_turn'],
    ['sensitive', 'refusal'],
  ])('maps the finish reason %s to %s', (finishReason, stopReason) => {
    expect(answerVia(chatCodec, messagesCodec, chatAnswer({ content: 'x' }, finishReason)).stop_reason).toBe(
      stopReason,
    );
  });

  it.each(['error', 'network_error', 'insufficient_system_resource', 'abort'])(
    'is rejected as cut off if it ends with %s',
    (reason) => {
      expect(() => answerVia(chatCodec, messagesCodec, chatAnswer({ content: 'x' }, reason))).toThrow(
        /^The provider reported that its answer was cut off: .*\./,
      );
    },
  );

  it('has a refusal as text, with the stop reason "refusal"', () => {
    expect(answerVia(chatCodec, messagesCodec, chatAnswer({ content: null, refusal: 'No.' }, 'stop'))).toMatchObject({
      content: [{ type: 'text', text: 'No.' }],
      stop_reason: 'refusal',
    });
  });

  it('has no usage if the provider reports none', () => {
    expect(answerVia(chatCodec, messagesCodec, chatAnswer({ content: 'x' }, 'stop'))).not.toHaveProperty('usage');
  });
});

describe('an answer for a client of the same dialect', () => {
  it('keeps members that only its dialect has', () => {
    const message = { content: 'x', refusal: null, annotations: [{ type: 'url_citation' }] };
    const chat = chatAnswer(message, 'stop', { service_tier: 'default', system_fingerprint: 'fp' });
    expect(answerVia(chatCodec, chatCodec, chat)).toEqual({ ...chat, provider: 'test' });
    const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } };
    const messages = messagesAnswer([search], 'refusal', {
      stop_details: { type: 'refusal', category: null },
      container: { id: 'c' },
    });
    expect(answerVia(messagesCodec, messagesCodec, messages)).toEqual(messages);
  });
});

describe('an invalid answer', () => {
  it('is rejected with the reason', () => {
    expect(() => chatCodec.decodeAnswer({ message: 'hello' }, here)).toThrow('it has no list of choices');
    expect(() => messagesCodec.decodeAnswer({ choices: [] }, here)).toThrow('it has no list of content blocks');
    expect(() => chatCodec.decodeAnswer({ error: { message: 'Gone' } }, here)).toThrow('it is an error: Gone');
  });
});
