import { describe, expect, it } from 'vitest';
import { customCalls } from '../../../../../plugins/dialects/chat/parts/custom-calls.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { f, type Piece, streamed, whole } from './edits.ts';

describe('calls of functions that stand for custom tools', () => {
  const edit = customCalls(new Set(['patch']));
  const patch = (text: string): JsonObject => ({ name: 'patch', arguments: text });
  const written = (input: string): string => JSON.stringify({ gw_input: input });
  const input = '*** Begin "Patch"\n+ä👋';

  it('become custom calls in a whole answer, next to calls of other functions', () => {
    const tool_calls = [
      { id: 'a', type: 'function', function: patch(written(input)) },
      { id: 'b', type: 'function', function: f() },
      { id: 'c', function: patch('a text alone') },
    ];
    expect(whole(edit, { content: 'x', tool_calls })).toEqual({
      content: 'x',
      tool_calls: [
        { id: 'a', type: 'custom', custom: { name: 'patch', input } },
        { id: 'b', type: 'function', function: f() },
        { id: 'c', type: 'custom', custom: { name: 'patch', input: 'a text alone' } },
      ],
    });
  });

  it('become custom calls in a stream once they are complete, in their order', () => {
    const text = written(input);
    const pieces: Piece[] = [
      { delta: { role: 'assistant', content: '', tool_calls: null } },
      { delta: { tool_calls: [{ index: 0, id: 'a', type: 'function', function: patch('') }] } },
      ...[...text].map((piece) => ({ delta: { tool_calls: [{ index: 0, function: { arguments: piece } }] } })),
      { delta: { tool_calls: [{ index: 1, id: 'b', type: 'function', function: f('{') }] } },
      { delta: { tool_calls: [{ index: 1, function: { arguments: '}' } }] } },
      { delta: { tool_calls: [{ index: 2, id: 'c', type: 'function', function: patch(written('2')) }] } },
      { delta: {}, finish: 'stop' },
    ];
    const deltas = streamed(edit, pieces);
    expect(deltas[0]).toEqual(pieces[0]?.delta);
    expect(deltas.slice(1).filter((delta) => Object.keys(delta ?? {}).length > 0)).toEqual([
      {
        tool_calls: [
          { index: 0, id: 'a', type: 'custom', custom: { name: 'patch', input } },
          { index: 1, id: 'b', type: 'function', function: f('{') },
        ],
      },
      { tool_calls: [{ index: 1, function: { arguments: '}' } }] },
      { tool_calls: [{ index: 2, id: 'c', type: 'custom', custom: { name: 'patch', input: '2' } }] },
    ]);
  });

  it('become custom calls in a stream that sends their names and ids late', () => {
    const text = written(input);
    const late = (name: string): readonly JsonObject[] => [
      { index: 0, type: 'function', function: { arguments: '' } },
      { index: 0, function: { arguments: text.slice(0, 5) } },
      { index: 0, id: 'a', function: { name, arguments: text.slice(5) } },
    ];
    const streamedCalls = (pieces: readonly JsonObject[]): readonly unknown[] =>
      streamed(edit, [
        ...pieces.map((call) => ({ delta: { tool_calls: [call] } })),
        { delta: {}, finish: 'stop' },
      ]).flatMap((delta) => delta?.tool_calls ?? []);
    expect(streamedCalls(late('patch'))).toEqual([
      { index: 0, id: 'a', type: 'custom', custom: { name: 'patch', input } },
    ]);
    expect(streamedCalls(late('f'))).toEqual([
      { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: text } },
    ]);
    const own = { index: 0, id: 'a', type: 'custom', custom: { name: 'own', input: 'x' } };
    expect(streamedCalls([own])).toEqual([own]);
    expect(streamedCalls(late('').slice(0, 2))).toEqual([
      { index: 0, type: 'function', function: { arguments: text.slice(0, 5) } },
    ]);
  });

  it('throw if their arguments exceed the size limit, because they are held back', () => {
    const piece = 'x'.repeat(1024 * 1024);
    const pieces = Array.from({ length: 5 }, () => ({ index: 0, id: 'a', function: patch(piece) }));
    expect(() =>
      streamed(
        edit,
        pieces.map((call) => ({ delta: { tool_calls: [call] } })),
      ),
    ).toThrow('The arguments of a tool call are longer than 4194304 characters.');
  });

  it('become custom calls in a stream that sends them whole, without indexes, with the finish', () => {
    const tool_calls = [
      { id: 'a', function: patch(written('1')) },
      { id: 'b', function: f() },
      { id: 'c', function: patch(written('2')) },
    ];
    expect(streamed(edit, [{ delta: { content: '', tool_calls }, finish: 'tool_calls' }])).toEqual([
      {
        content: '',
        tool_calls: [
          { index: 0, id: 'a', type: 'custom', custom: { name: 'patch', input: '1' } },
          { index: 1, id: 'b', function: f() },
          { index: 2, id: 'c', type: 'custom', custom: { name: 'patch', input: '2' } },
        ],
      },
    ]);
  });
});
