import { describe, expect, it } from 'vitest';
import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import { embeddings } from '../../../../plugins/dialects/embeddings/embeddings.ts';
import { messages } from '../../../../plugins/dialects/messages/messages.ts';
import type { Dialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import { answerText, requestText } from '../../../../runtime/engine/guardrail-verdicts/check-text.ts';

const withoutTexts = ({ texts: _texts, ...dialect }: Dialect): Dialect => dialect;

describe('the text that input checks read', () => {
  it('contains every message after the last one of the model, whatever the role', () => {
    const turns = [
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'second' },
      { role: 'user', content: 'third' },
      { role: 'system', content: 'last' },
    ];
    expect(requestText({ messages: turns }, chat)?.text).toBe('third\nlast');
    expect(requestText({ messages: turns.slice(0, 2) }, chat)?.text).toBe('first\nsecond');
  });

  it('does not contain the instructions before the first turn, unless there is nothing else', () => {
    const system = { role: 'system', content: 'rules' };
    expect(requestText({ messages: [system, { role: 'user', content: 'a' }] }, chat)?.text).toBe('a');
    expect(requestText({ messages: [system] }, chat)?.text).toBe('rules');
  });

  it('contains each text part on its own line and all of them as one, and nothing of other parts', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'image', source: { type: 'url', url: 'https://a.example/i.png' } },
      { type: 'text', text: 'b' },
    ];
    expect(requestText({ messages: [{ role: 'user', content }] }, messages)?.text).toBe('a\nb\nab');
  });

  it('contains what other parts have as text: a text, a tool result, a document', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'tool_result', tool_use_id: 't', content: 'b' },
      { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'c' }, { type: 'image' }] },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'd' } },
      { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'e' }] } },
      { type: 'image', source: { type: 'base64', data: 'no text' } },
    ];
    expect(requestText({ messages: [{ role: 'user', content }] }, messages)?.text).toBe('a\nb\nc\nd\ne');
  });

  it('is found in content of an unknown form, which a lenient provider may read', () => {
    for (const content of [{ type: 'text', text: 'a' }, [['a']], [{ type: 'text', text: { text: ['a'] } }]]) {
      const { spans = [] } = requestText({ messages: [{ role: 'user', content }] }, chat) ?? {};
      expect(spans.filter(({ isName }) => isName !== true).map(({ text }) => text)).toEqual(['a']);
    }
  });

  it('is found in a single turn or a text in place of a list of turns', () => {
    expect(requestText({ messages: 'a' }, chat)?.text).toBe('a');
    expect(requestText({ messages: { role: 'user', content: 'a' } }, chat)?.text).toBe('a');
  });

  it('is the input of an embedding', () => {
    expect(requestText({ input: ['a', 'b'] }, embeddings)?.text).toBe('a\nb');
  });

  it('is empty if the body contains no text', () => {
    expect(requestText({ messages: [{ role: 'assistant', tool_calls: [] }] }, chat)?.text).toBe('');
    expect(requestText({ messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] }, chat)?.text).toBe('');
    expect(requestText({ input: ['', null] }, embeddings)?.text).toBe('');
    expect(requestText({}, withoutTexts(embeddings))?.text).toBe('');
  });

  it('cannot be read if the body is not valid, or has only images or token ids', () => {
    const image = { type: 'image_url', image_url: { url: 'data:' } };
    expect(requestText({}, chat)).toBeUndefined();
    expect(requestText({ messages: null }, chat)).toBeUndefined();
    expect(requestText({ messages: [{ role: 'user', content: [image] }] }, chat)).toBeUndefined();
    for (const input of [[1, 2], [[1, 2]], ['a', 1]]) expect(requestText({ input }, embeddings)).toBeUndefined();
    expect(requestText({ messages: [] }, withoutTexts(chat))).toBeUndefined();
  });
});

describe('the text that output checks read', () => {
  it('contains every choice of a chat answer, one on each line', () => {
    const choice = (index: number, content: string) => ({
      index,
      message: { role: 'assistant', content },
      finish_reason: 'stop',
    });
    const answer = {
      id: 'a',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [choice(0, 'one'), choice(1, 'two')],
    };
    expect(answerText({ answer, dialect: chat })?.text).toBe('one\ntwo');
  });

  it('contains the text blocks of a message, one on each line', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'tool_use', id: 't', name: 'n', input: { q: 1 } },
      { type: 'text', text: 'b' },
    ];
    const answer = {
      id: 'a',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content,
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    };
    expect(answerText({ answer, dialect: messages })?.text).toBe('a\nq\n1\nb');
  });

  it('contains refusals, reasoning and call arguments too, without escapes that would hide them', () => {
    const call = (text: string) => ({ id: 'c', type: 'function', function: { name: 'n', arguments: text } });
    const message = {
      role: 'assistant',
      content: null,
      reasoning_content: 'why',
      refusal: 'no',
      tool_calls: [
        call('{"city":"Gra\\u007a","days":[3,true,null]}'),
        call('{"half'),
        { id: 'd', type: 'custom', custom: { name: 'sql', input: 'select 1' } },
      ],
    };
    expect(answerText({ answer: { choices: [{ index: 0, message }] }, dialect: chat })?.text.split('\n')).toEqual(
      expect.arrayContaining(['why', 'no', 'city', 'Graz', 'days', '3', 'true', '{"half', 'select 1']),
    );
  });

  it('contains what the provider said beside that too, if the answer was translated', () => {
    const answer = { choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' } }] };
    const original = {
      content: [
        { type: 'thinking', thinking: 'why' },
        { type: 'text', text: 'Hi.' },
      ],
    };
    const given = { answer, dialect: chat };
    expect(answerText(given, { answer: original, dialect: messages })?.text).toBe('Hi.\nwhy');
    const silent = { ...given, answer: { choices: [] } };
    expect(answerText(silent, { answer: original, dialect: messages })?.text).toBe('why\nHi.');
    const image = { content: [{ type: 'image', source: { type: 'file', file_id: 'f1' } }] };
    expect(answerText(silent, { answer: image, dialect: messages })).toBeUndefined();
    expect(answerText(given, { answer: image, dialect: messages })?.text).toBe('Hi.');
  });

  it('is undefined if the answer cannot be read', () => {
    expect(answerText({ answer: { nothing: true }, dialect: chat })).toBeUndefined();
  });
});
