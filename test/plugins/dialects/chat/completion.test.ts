import { describe, expect, it } from 'vitest';
import { completion } from '../../../../plugins/dialects/chat/answer/completion.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { toObjects } from '../../../../schema/json/loose.ts';
import { f, streamed, whole } from './parts/edits.ts';

it('assigns a separate index to each of very many calls', () => {
  const count = 200_000;
  const tool_calls = Array.from({ length: count }, (_, at) => ({ id: `call-${at}`, function: { name: 'f' } }));
  const deltas = streamed(completion(['call-index']), [{ delta: { tool_calls } }]);
  const indexes = toObjects(deltas[0]?.tool_calls).map(({ index }) => index);
  expect(indexes).toEqual(tool_calls.map((_, at) => at));
});

it('renumbers calls whose index is huge, negative, fractional or a text', () => {
  const at = (index: Json, id: string): JsonObject => ({ index, id, function: { name: 'f' } });
  const tool_calls = [at(1e308, 'a'), at(-1, 'b'), at(0.5, 'c'), at('0', 'd')];
  const [delta] = streamed(completion(['call-index']), [{ delta: { tool_calls } }]);
  expect(toObjects(delta?.tool_calls).map(({ index }) => index)).toEqual([0, 1, 2, 3]);
});

describe('the completion of what a provider omits from its answers', () => {
  const edit = completion(['call-index', 'call-type', 'plain-content']);

  it.each<[string, JsonObject, JsonObject]>([
    [
      'calls without a type',
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          { id: 'a', function: f() },
          { id: 'b', type: null, function: f() },
        ],
      },
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          { id: 'a', type: 'function', function: f() },
          { id: 'b', type: 'function', function: f() },
        ],
      },
    ],
    [
      'arguments that are an object',
      { tool_calls: [{ id: 'a', type: 'function', index: 0, function: f({ city: 'Graz' }) }] },
      { tool_calls: [{ id: 'a', type: 'function', index: 0, function: f('{"city":"Graz"}') }] },
    ],
    [
      'content that is a list',
      {
        content: [
          {
            type: 'thinking',
            thinking: [
              { type: 'text', text: 'h' },
              { type: 'text', text: 'm' },
            ],
          },
          { type: 'text', text: '4' },
          { type: 'reference', reference_ids: [1] },
          { type: 'text', text: '2' },
        ],
      },
      { content: '42', reasoning_content: 'hm' },
    ],
    [
      'content that is only thinking',
      { content: [{ type: 'thinking', thinking: 'hm' }], tool_calls: [] },
      { content: null, reasoning_content: 'hm', tool_calls: [] },
    ],
    [
      'present members, which stay unchanged',
      { content: 'x', tool_calls: null, prefix: false },
      { content: 'x', tool_calls: null, prefix: false },
    ],
  ])('handles in a whole answer: %s', (_, message, expected) => {
    expect(whole(edit, message)).toEqual(expected);
  });

  it.each<[string, readonly (readonly JsonObject[])[], readonly (readonly JsonObject[])[]]>([
    [
      'calls without an index, in one chunk',
      [
        [
          { id: 'a', function: f() },
          { id: 'b', function: f() },
        ],
      ],
      [
        [
          { index: 0, id: 'a', type: 'function', function: f() },
          { index: 1, id: 'b', type: 'function', function: f() },
        ],
      ],
    ],
    [
      'calls without an index, one after another and in pieces',
      [[{ id: 'a', function: f('{') }], [{ function: { arguments: '}' } }], [{ id: 'b', function: f() }]],
      [
        [{ index: 0, id: 'a', type: 'function', function: f('{') }],
        [{ index: 0, function: { arguments: '}' } }],
        [{ index: 1, id: 'b', type: 'function', function: f() }],
      ],
    ],
    [
      'calls that all have the index 0',
      [
        [{ index: 0, id: 'a', function: f() }],
        [{ index: 0, id: 'b', function: f('{') }],
        [{ index: 0, function: { arguments: '}' } }],
      ],
      [
        [{ index: 0, id: 'a', type: 'function', function: f() }],
        [{ index: 1, id: 'b', type: 'function', function: f('{') }],
        [{ index: 1, function: { arguments: '}' } }],
      ],
    ],
    [
      'pieces that repeat the id and have an empty name',
      [
        [{ index: 0, id: 'a', type: 'function', function: f('') }],
        [{ index: 0, id: 'a', type: 'function', function: { name: '', arguments: '{}' } }],
      ],
      [
        [{ index: 0, id: 'a', type: 'function', function: f('') }],
        [{ index: 0, id: 'a', type: 'function', function: { arguments: '{}' } }],
      ],
    ],
    [
      'calls that omit nothing',
      [
        [{ index: 1, id: 'b', type: 'function', function: f('') }],
        [{ index: 0, id: 'a', type: 'function', function: f('') }],
        [{ index: 1, function: { arguments: '{}' } }],
      ],
      [
        [{ index: 1, id: 'b', type: 'function', function: f('') }],
        [{ index: 0, id: 'a', type: 'function', function: f('') }],
        [{ index: 1, function: { arguments: '{}' } }],
      ],
    ],
  ])('handles in a stream: %s', (_, pieces, expected) => {
    const deltas = streamed(
      edit,
      pieces.map((tool_calls) => ({ delta: { tool_calls } })),
    );
    expect(deltas).toEqual(expected.map((tool_calls) => ({ tool_calls })));
  });

  it.each<JsonObject>([{}, { index: 0 }, { id: null }, { id: '' }, { id: 'null' }])(
    'numbers calls without ids if each has a name and whole arguments: %j',
    (more) => {
      const piece = (name: string, text: Json): JsonObject => ({ ...more, function: { name, arguments: text } });
      const pieces = [piece('f', '{"a"'), piece('f', ':1}'), piece('f', '{}'), piece('', ''), piece('g', { a: 3 })];
      const places = streamed(
        edit,
        pieces.map((call) => ({ delta: { tool_calls: [call] } })),
      ).map((delta) => toObjects(delta?.tool_calls)[0]?.index);
      expect(places).toEqual([0, 0, 1, 1, 2]);
    },
  );

  it('numbers the calls of each choice separately', () => {
    const delta = { tool_calls: [{ id: 'a', function: f() }] };
    const other = { tool_calls: [{ id: 'b', function: f() }] };
    const places = streamed(edit, [{ delta }, { delta: other, choice: 1 }, { delta: other }]).map(
      (each) => toObjects(each?.tool_calls)[0]?.index,
    );
    expect(places).toEqual([0, 0, 1]);
  });

  it('adds the role to the first chunk of a stream if it is missing', () => {
    const speaking = completion(['role']);
    expect(streamed(speaking, [{ delta: { content: 'a' } }, { delta: { content: 'b' } }])).toEqual([
      { content: 'a', role: 'assistant' },
      { content: 'b' },
    ]);
    const said = { role: 'assistant', content: '' };
    expect(streamed(speaking, [{ delta: said }])).toEqual([said]);
  });

  it('turns content lists in a stream into texts', () => {
    const contents: readonly Json[] = [
      [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }],
      [{ type: 'text', text: '4' }],
      'plain',
      '',
    ];
    expect(
      streamed(
        edit,
        contents.map((content) => ({ delta: { content } })),
      ),
    ).toEqual([{ reasoning_content: 'hm' }, { content: '4' }, { content: 'plain' }, { content: '' }]);
  });
});
