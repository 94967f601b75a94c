import { describe, expect, it } from 'vitest';
import { cohere } from '../../../../plugins/dialects/cohere/cohere.ts';
import { messages } from '../../../../plugins/dialects/messages/messages.ts';
import { errorReport } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';

const call: JsonObject = {
  id: 'w1',
  type: 'function',
  function: { name: 'weather', arguments: '{"city":"Gr\\u0061z"}' },
};

describe('config parameters in a Cohere body', () => {
  it('are placed under the names of the format', () => {
    const params = {
      model: 'm',
      top_p: 0.5,
      top_k: 3,
      stop: 'x',
      max_completion_tokens: 9,
      temperature: 0.1,
      own: true,
    };
    expect(cohere.place?.(params, { messages: [], p: 0.9 })).toEqual({
      messages: [],
      model: 'm',
      p: 0.5,
      k: 3,
      stop_sequences: ['x'],
      max_tokens: 9,
      temperature: 0.1,
      own: true,
    });
    expect(cohere.place?.({ stop: ['a', 'b'] }, {})).toEqual({ stop_sequences: ['a', 'b'] });
  });

  it('turn an effort into thinking within the token limit, and a schema into the form of the format', () => {
    const response_format = { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' } } };
    expect(cohere.place?.({ reasoning_effort: 'low', response_format }, { max_tokens: 1000 })).toEqual({
      max_tokens: 1000,
      thinking: { type: 'enabled', token_budget: 999 },
      response_format: { type: 'json_object', json_schema: { type: 'object' } },
    });
    expect(cohere.place?.({ response_format: { type: 'json_object' } }, {})).toEqual({
      response_format: { type: 'json_object' },
    });
  });
});

describe('the texts of a Cohere body', () => {
  const found = (body: JsonObject, phase: 'input' | 'output'): readonly (readonly [string, string, string])[] =>
    (cohere.texts?.(body, phase) ?? []).map(({ at, kind, text }) => [at, kind, text]);

  it('in a request are those after the last answer and those of documents', () => {
    const body = {
      messages: [
        { role: 'user', content: 'Earlier.' },
        { role: 'assistant', tool_calls: [call] },
        {
          role: 'tool',
          tool_call_id: 'w1',
          content: [
            { type: 'text', text: 'Sunny.' },
            { type: 'document', document: { id: '1', data: { wind: 'weak' } } },
          ],
        },
        { role: 'user', content: [{ type: 'text', text: 'And now?' }] },
      ],
      documents: ['A text.', { data: { title: 'T', text: 'Another.' } }],
    };
    expect(found(body, 'input')).toEqual([
      ['/messages/2/content/0/text', 'tool-result', 'Sunny.'],
      ['/messages/2/content/1/document/data', 'tool-result', 'wind\nweak'],
      ['/messages/3/content/0/text', 'text', 'And now?'],
      ['/documents/0', 'text', 'A text.'],
      ['/documents/1/data', 'text', 'title\nT\ntext\nAnother.'],
    ]);
  });

  it('in an answer are the thinking, the texts, the plan and the call arguments', () => {
    const content = [
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'Hi.' },
    ];
    expect(found({ message: { content, tool_plan: 'I will.', tool_calls: [call] } }, 'output')).toEqual([
      ['/message/content/0/thinking', 'reasoning', 'Hm.'],
      ['/message/content/1/text', 'text', 'Hi.'],
      ['/message/tool_plan', 'reasoning', 'I will.'],
      ['/message/tool_calls/0/function/arguments', 'tool-arguments', 'city\nGraz'],
    ]);
  });

  it('are undefined if the body has another format', () => {
    expect(cohere.texts?.({ message: 'Gone' }, 'output')).toBeUndefined();
    expect(cohere.texts?.({ prompt: 'Hi' }, 'input')).toBeUndefined();
  });
});

describe('the usage of a Cohere body', () => {
  it('is read from an answer and from the last event of a stream', () => {
    const usage = { tokens: { input_tokens: 3, output_tokens: 2 } };
    expect(cohere.usage?.({ usage })).toMatchObject({ input: 3, output: 2 });
    expect(cohere.usage?.({ type: 'message-end', delta: { usage } })).toMatchObject({ input: 3, output: 2 });
    expect(cohere.usage?.({ type: 'content-end' })).toBeUndefined();
  });
});

describe('an error in the Cohere format', () => {
  it('is written as a message, with a code if it comes from the gateway', () => {
    const report = errorReport('stream-cut', {});
    expect(cohere.encodeError(report)).toEqual({ message: report.message, code: 'stream-cut' });
    const error = messages.decodeError(529, '{"type":"error","error":{"type":"overloaded_error","message":"Busy"}}');
    expect(cohere.encodeWireError(error, 529)).toEqual({ message: 'Busy' });
  });

  it('is read with its message and status', () => {
    expect(cohere.decodeError(401, '{"id":"e1","message":"invalid api token"}')).toEqual({
      message: 'invalid api token',
      status: 401,
    });
  });
});
