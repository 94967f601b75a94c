import { describe, expect, it } from 'vitest';
import { foldAnswer } from '../../../schema/conversation/fold-answer.ts';

describe('folding a stream', () => {
  it('creates a part for each block, in the order in which they begin, even if their pieces interleave', () => {
    const at = { choice: 0 };
    const answer = foldAnswer([
      { kind: 'start', id: 'a', model: 'm', created: 3, usage: { input: 5, output: 1 } },
      { kind: 'reasoning', ...at, block: 0, text: 'H' },
      { kind: 'tool-call', ...at, block: 2, id: 'c', name: 'f' },
      { kind: 'text', ...at, block: 1, text: 'Hel' },
      { kind: 'tool-arguments', ...at, block: 2, text: '{' },
      { kind: 'text', ...at, block: 1, text: 'lo' },
      { kind: 'reasoning', ...at, block: 0, text: 'm', bound: { scope: 'h', kind: 'signature', value: 's' } },
      { kind: 'tool-arguments', ...at, block: 2, text: '}' },
      { kind: 'finish', ...at, finish: { reason: 'tool-calls' } },
      { kind: 'usage', usage: { input: 5, output: 9 } },
      { kind: 'end' },
    ]);
    expect(answer).toEqual({
      id: 'a',
      model: 'm',
      created: 3,
      choices: [
        {
          index: 0,
          parts: [
            { kind: 'reasoning', text: 'Hm', bound: { scope: 'h', kind: 'signature', value: 's' } },
            { kind: 'tool-call', id: 'c', name: 'f', arguments: '{}' },
            { kind: 'text', text: 'Hello' },
          ],
          finish: { reason: 'tool-calls' },
        },
      ],
      usage: { input: 5, output: 9 },
      extensions: {},
    });
  });

  it('keeps choices apart, and assigns the reason "other" to a choice without a finish', () => {
    const { choices } = foldAnswer([
      { kind: 'text', choice: 1, block: 0, text: 'b' },
      { kind: 'text', choice: 0, block: 0, text: 'a' },
      { kind: 'finish', choice: 1, finish: { reason: 'stop' } },
    ]);
    expect(choices).toMatchObject([
      { index: 0, parts: [{ text: 'a' }], finish: { reason: 'other' } },
      { index: 1, parts: [{ text: 'b' }], finish: { reason: 'stop' } },
    ]);
  });

  it('joins the extensions of a choice and of the answer, and concatenates their lists', () => {
    const { choices, extensions } = foldAnswer([
      { kind: 'extension', dialect: 'chat', value: { search_results: [{ title: 'A' }], tier: 'a' } },
      { kind: 'extension', choice: 0, dialect: 'chat', value: { message: { executed_tools: [1] } } },
      { kind: 'extension', choice: 0, dialect: 'chat', value: { message: { executed_tools: [2], context: {} } } },
      { kind: 'extension', dialect: 'chat', value: { search_results: [{ title: 'B' }], tier: 'b' } },
    ]);
    expect(extensions).toEqual({ chat: { search_results: [{ title: 'A' }, { title: 'B' }], tier: 'b' } });
    expect(choices[0]?.extensions).toEqual({ chat: { message: { executed_tools: [1, 2], context: {} } } });
  });

  it('throws the error that a stream reports', () => {
    expect(() => foldAnswer([{ kind: 'error', error: { message: 'Overloaded' } }])).toThrow('Overloaded');
  });
});
