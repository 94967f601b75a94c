import type { ConversationCodec } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { chatCodec, cohereCodec, converseCodec, geminiCodec, messagesCodec, responsesCodec } from './codecs.ts';

type Expected = readonly (readonly [string, Json])[] | 'stream-cut';

interface OddCalls {
  readonly codec: ConversationCodec;
  /** What is odd → the text of the stream, and its calls or its error. */
  readonly streams: Readonly<Record<string, readonly [text: string, expected: Expected]>>;
}

const one: Expected = [['f', { a: 1 }]];
const two: Expected = [
  ['f', { a: 1 }],
  ['g', { b: 2 }],
];

const chatChunk = (delta: JsonObject, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'a', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

const chat = (...pieces: readonly JsonObject[]): string =>
  [...pieces.map((piece) => chatChunk({ tool_calls: [piece] })), chatChunk({}, 'tool_calls'), 'data: [DONE]\n\n'].join(
    '',
  );

/** Returns the function of a piece of a call. */
const fn = (name: string | undefined, text?: string): JsonObject => ({
  function: { ...(name === undefined ? {} : { name }), ...(text === undefined ? {} : { arguments: text }) },
});

const inChat: OddCalls['streams'] = {
  'a name after the id': [
    chat({ index: 0, id: 'c' }, { index: 0, ...fn('f') }, { index: 0, ...fn('', '{"a":1}') }),
    one,
  ],
  'arguments before the name': [
    chat({ index: 0, id: 'c', ...fn(undefined, '{"a"') }, { index: 0, ...fn('f', ':1}') }),
    one,
  ],
  'arguments without a name': [chat({ index: 0, id: 'c', ...fn(undefined, '{"a":1}') }), 'stream-cut'],
  'an id after the name': [chat({ index: 0, ...fn('f', '') }, { index: 0, id: 'c', ...fn(undefined, '{"a":1}') }), one],
  'an id after the name, which is repeated': [
    chat(
      { index: 0, ...fn('f', '') },
      { index: 0, id: 'c', ...fn('f', '{"a":') },
      { index: 0, id: 'c', ...fn('f', '1}') },
    ),
    one,
  ],
  'an id after some arguments': [chat({ index: 0, ...fn('f', '{"a":') }, { index: 0, id: 'c', ...fn('f', '1}') }), one],
  'another id for each piece': [
    chat(
      { index: 0, id: 'c', ...fn('f', '') },
      { index: 0, id: 'd', ...fn(undefined, '{"a":') },
      { id: 'e', ...fn('', '1}') },
    ),
    one,
  ],
  'names that are repeated without ids': [chat({ index: 0, ...fn('f', '{"a":') }, { index: 0, ...fn('f', '1}') }), one],
  'calls without an id and an index': [chat(fn('f', '{"a":1}'), fn('g', ''), fn(undefined, '{"b":2}')), two],
  'calls without an id, an index and arguments': [
    chat(fn('f', ''), fn('g', '')),
    [
      ['f', {}],
      ['g', {}],
    ],
  ],
  'calls without an index': [
    chat(
      { id: 'c', ...fn('f', '{') },
      fn(undefined, '"a":1}'),
      { id: 'd', ...fn('g', '') },
      { id: 'd', ...fn('', '{"b":2}') },
    ),
    two,
  ],
  'indexes that jump': [
    chat(
      { index: 3, id: 'c', ...fn('f', '') },
      { index: 3, ...fn('', '{"a":1}') },
      { index: 7, id: 'd', ...fn('g', '{"b":2}') },
    ),
    two,
  ],
  'another index for a further piece': [
    chat({ index: 0, id: 'c', ...fn('f', '{"a":') }, { index: 1, id: 'c', ...fn(undefined, '1}') }),
    one,
  ],
  'the same index for each call': [
    chat(
      { index: 0, id: 'c', ...fn('f', '{"a":1}') },
      { index: 0, id: 'd', ...fn('g', '{"b":') },
      { index: 0, ...fn('', '2}') },
    ),
    two,
  ],
};

type NamedEvent = readonly [name: string, data: JsonObject];

const toText = (events: readonly NamedEvent[]): string =>
  events.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join('');

/** Returns the text of a stream whose events have their name as their type. */
const typed = (...events: readonly NamedEvent[]): string =>
  toText(events.map(([type, data]) => [type, { type, ...data }]));

const messages = (...events: readonly NamedEvent[]): string =>
  typed(
    ['message_start', { message: { id: 'a', model: 'm' } }],
    ...events,
    ['message_delta', { delta: { stop_reason: 'tool_use' } }],
    ['message_stop', {}],
  );

const begin = (name: string, place: JsonObject): NamedEvent => [
  'content_block_start',
  { ...place, content_block: { type: 'tool_use', id: name, name, input: {} } },
];
const grow = (partial_json: string, place: JsonObject): NamedEvent => [
  'content_block_delta',
  { ...place, delta: { type: 'input_json_delta', partial_json } },
];
const stop = (place: JsonObject): NamedEvent => ['content_block_stop', place];

const inMessages: OddCalls['streams'] = {
  'events without an index': [
    messages(begin('f', {}), grow('{"a":1}', {}), stop({}), begin('g', {}), grow('{"b":2}', {}), stop({})),
    two,
  ],
  'pieces without an index': [
    messages(
      begin('f', { index: 0 }),
      grow('{"a":1}', {}),
      stop({}),
      begin('g', { index: 1 }),
      grow('{"b":2}', {}),
      stop({}),
    ),
    two,
  ],
  'indexes that jump': [
    messages(
      begin('f', { index: 5 }),
      begin('g', { index: 2 }),
      grow('{"a":1}', { index: 5 }),
      grow('{"b":2}', { index: 2 }),
    ),
    two,
  ],
};

const responses = (output: readonly JsonObject[], ...events: readonly NamedEvent[]): string =>
  typed(['response.created', { response: { id: 'r', model: 'm' } }], ...events, [
    'response.completed',
    { response: { id: 'r', model: 'm', status: 'completed', output } },
  ]);

const item = (more: JsonObject): JsonObject => ({ type: 'function_call', call_id: 'c', name: 'f', ...more });
const added = (wire: JsonObject, place: JsonObject): NamedEvent => [
  'response.output_item.added',
  { ...place, item: wire },
];
const done = (wire: JsonObject, place: JsonObject): NamedEvent => [
  'response.output_item.done',
  { ...place, item: wire },
];
const argue = (delta: string, place: JsonObject): NamedEvent => [
  'response.function_call_arguments.delta',
  { ...place, delta },
];

const firstPlace = { output_index: 0, item_id: 'i' };
const jumpedPlace = { output_index: 2, item_id: 'i' };
const wholeItem = item({ id: 'i', arguments: '{"a":1}' });
const otherItem = { id: 'j', call_id: 'd', name: 'g' };

const inResponses: OddCalls['streams'] = {
  'a name at the end': [
    responses(
      [],
      added({ type: 'function_call', id: 'i', call_id: 'c' }, firstPlace),
      argue('{"a":1}', firstPlace),
      done(wholeItem, firstPlace),
    ),
    one,
  ],
  'an id of the call at the end': [
    responses(
      [],
      added({ type: 'function_call', id: 'i', name: 'f' }, firstPlace),
      argue('{"a":1}', firstPlace),
      done(wholeItem, firstPlace),
    ),
    one,
  ],
  'other white space at the end': [
    responses(
      [],
      added(item({ id: 'i' }), firstPlace),
      argue('{"a":1}', firstPlace),
      done(item({ id: 'i', arguments: '{ "a": 1 }' }), firstPlace),
    ),
    one,
  ],
  'arguments without pieces': [
    responses([], added(item({ id: 'i' }), firstPlace), [
      'response.function_call_arguments.done',
      { ...firstPlace, arguments: '{"a":1}' },
    ]),
    one,
  ],
  'indexes that jump': [
    responses([wholeItem], added(item({ id: 'i' }), jumpedPlace), argue('{"a":1}', jumpedPlace)),
    one,
  ],
  'indexes that jump, and no ids': [
    responses(
      [item({ arguments: '{"a":1}' })],
      added(item({}), { output_index: 2 }),
      argue('{"a":1}', { output_index: 2 }),
      done(item({ arguments: '{"a":1}' }), { output_index: 2 }),
    ),
    one,
  ],
  'the same index for each call': [
    responses(
      [],
      added(item({ id: 'i' }), firstPlace),
      argue('{"a":1}', firstPlace),
      done(wholeItem, firstPlace),
      added(item(otherItem), { output_index: 0, item_id: 'j' }),
      argue('{"b":2}', { output_index: 0, item_id: 'j' }),
      done(item({ ...otherItem, arguments: '{"b":2}' }), { output_index: 0, item_id: 'j' }),
    ),
    two,
  ],
  'pieces without an index': [
    responses(
      [],
      added(item({ id: 'i' }), {}),
      added(item(otherItem), {}),
      argue('{"a":1}', { item_id: 'i' }),
      argue('{"b":2}', { item_id: 'j' }),
      done(wholeItem, {}),
      done(item({ ...otherItem, arguments: '{"b":2}' }), {}),
    ),
    two,
  ],
};

const converse = (...events: readonly NamedEvent[]): string =>
  toText([['messageStart', { role: 'assistant' }], ...events, ['messageStop', { stopReason: 'tool_use' }]]);

const use = (name: string, place: JsonObject): NamedEvent => [
  'contentBlockStart',
  { ...place, start: { toolUse: { name, toolUseId: name } } },
];
const give = (input: string, place: JsonObject): NamedEvent => [
  'contentBlockDelta',
  { ...place, delta: { toolUse: { input } } },
];

const inConverse: OddCalls['streams'] = {
  'events without an index': [converse(use('f', {}), give('{"a":1}', {}), use('g', {}), give('{"b":2}', {})), two],
  'events without an index, and no arguments': [
    converse(use('f', {}), use('g', {}), give('{"b":2}', {})),
    [
      ['f', {}],
      ['g', { b: 2 }],
    ],
  ],
  'torn arguments before another call with the same index': [
    converse(use('f', {}), give('{"a"', {}), use('g', {}), give('{"b":2}', {})),
    'stream-cut',
  ],
  'pieces without an index': [
    converse(
      use('f', { contentBlockIndex: 0 }),
      give('{"a":1}', {}),
      use('g', { contentBlockIndex: 4 }),
      give('{"b":2}', {}),
    ),
    two,
  ],
  'input without a call': [converse(give('{"a":1}', { contentBlockIndex: 0 })), 'stream-cut'],
};

const cohere = (...events: readonly NamedEvent[]): string =>
  typed(['message-start', { id: 'a' }], ...events, ['message-end', { delta: { finish_reason: 'TOOL_CALL' } }]);

const called = (type: 'start' | 'delta', call: JsonObject, place: JsonObject): NamedEvent => [
  `tool-call-${type}`,
  { ...place, delta: { message: { tool_calls: call } } },
];
const start = (name: string, place: JsonObject): NamedEvent => called('start', { id: name, ...fn(name, '') }, place);
const more = (text: string, place: JsonObject): NamedEvent => called('delta', fn(undefined, text), place);

const inCohere: OddCalls['streams'] = {
  'events without an index': [cohere(start('f', {}), more('{"a":1}', {}), start('g', {}), more('{"b":2}', {})), two],
  'pieces without an index': [
    cohere(start('f', { index: 0 }), more('{"a":1}', {}), start('g', { index: 3 }), more('{"b":2}', {}), [
      'tool-call-end',
      {},
    ]),
    two,
  ],
  'a call without an id': [cohere(called('start', fn('f', ''), { index: 0 }), more('{"a":1}', { index: 0 })), one],
  'arguments without a call': [cohere(more('{"a":1}', { index: 0 })), 'stream-cut'],
};

const gemini = (...calls: readonly JsonObject[]): string =>
  [
    ...calls.map((functionCall) => ({ content: { role: 'model', parts: [{ functionCall }] } })),
    { content: { role: 'model', parts: [] }, finishReason: 'STOP' },
  ]
    .map((candidate) => `data: ${JSON.stringify({ responseId: 'a', candidates: [candidate] })}\n\n`)
    .join('');

const partial = (name: string, numberValue: number): JsonObject => ({
  partialArgs: [{ jsonPath: `$.${name}`, numberValue }],
});

const inGemini: OddCalls['streams'] = {
  'an id after the name': [gemini({ name: 'f', willContinue: true }, { id: 'x', ...partial('a', 1) }), one],
  'a name and an id that are repeated': [
    gemini(
      { id: 'x', name: 'f', willContinue: true },
      { id: 'x', name: 'f', ...partial('a', 1), willContinue: true },
      { id: 'x', name: 'f', ...partial('b', 2) },
    ),
    [['f', { a: 1, b: 2 }]],
  ],
  'the same name without an id': [
    gemini({ name: 'f', args: { a: 1 } }, { name: 'f', args: { b: 2 } }),
    [
      ['f', { a: 1 }],
      ['f', { b: 2 }],
    ],
  ],
};

/** The streams of each dialect's providers whose calls are announced in an unusual way. */
export const oddCalls: Readonly<Record<string, OddCalls>> = {
  chat: { codec: chatCodec, streams: inChat },
  messages: { codec: messagesCodec, streams: inMessages },
  responses: { codec: responsesCodec, streams: inResponses },
  converse: { codec: converseCodec, streams: inConverse },
  cohere: { codec: cohereCodec, streams: inCohere },
  gemini: { codec: geminiCodec, streams: inGemini },
};
