import { describe, expect, it } from 'vitest';
import { chat } from '../../../plugins/dialects/chat/chat.ts';
import { cohere } from '../../../plugins/dialects/cohere/cohere.ts';
import { gemini } from '../../../plugins/dialects/gemini/gemini.ts';
import type { Dialect, Frame } from '../../../plugins/sdk/dialect/dialect.ts';
import type { AnswerEvent } from '../../../schema/conversation/answer.ts';
import type { Part } from '../../../schema/conversation/conversation.ts';
import { foldAnswer } from '../../../schema/conversation/fold-answer.ts';
import { errorReport } from '../../../schema/errors/errors.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import {
  answerOptions,
  chatCodec,
  cohereCodec,
  converseCodec,
  geminiCodec,
  here,
  messagesCodec,
  responsesCodec,
  streamVia,
} from './support/codecs.ts';
import { fixture } from './support/fixture.ts';
import { toEvents, toFrames, toText } from './support/frames.ts';

const chunk = (delta: JsonObject, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

const chatEvents = (text: string): readonly AnswerEvent[] => toEvents(chatCodec.streamDecoder(here), toFrames(text));

const calls = (...pieces: readonly Json[]): string => pieces.map((piece) => chunk({ tool_calls: [piece] })).join('');

/** Returns the parts of a chat stream that starts with the text and ends properly. */
const callsOf = (text: string): readonly Part[] | undefined =>
  foldAnswer(chatEvents(`${text}${chunk({}, 'tool_calls')}data: [DONE]\n\n`)).choices[0]?.parts;

/** Returns the name and the data of each event. */
const outline = (text: string): readonly unknown[] => toFrames(text).map(({ event, data }) => `${event ?? ''} ${data}`);

it('a call that begins after the finish reason is sent to clients of every dialect', () => {
  const events = [
    { type: 'message_start', message: { id: 'm', model: 'm' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } } },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_stop' },
  ];
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  for (const codec of [chatCodec, messagesCodec, responsesCodec, cohereCodec, converseCodec, geminiCodec]) {
    const read = toEvents(codec.streamDecoder(here), toFrames(streamVia(messagesCodec, codec, text)));
    const [choice] = foldAnswer(read).choices;
    expect(choice?.parts.at(-1)).toMatchObject({ kind: 'tool-call', name: 'f', arguments: '{"x":1}' });
  }
});

describe('an empty member of a stream', () => {
  const isEnd = (dialect: Dialect, frame: Frame): boolean => dialect.classify(frame) === 'end';

  it.each(['', false, null])('named error is not an error of a chat chunk: %j', (error) => {
    const wire = { id: 'c', choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }], error };
    const frame = { data: JSON.stringify(wire) };
    expect(isEnd(chat, frame)).toBe(true);
    expect(toEvents(chatCodec.streamDecoder(here), [frame]).at(-1)).toEqual({ kind: 'end' });
  });

  it('named error is not an error of the end of a stream of Cohere', () => {
    const wire = { type: 'message-end', delta: { finish_reason: 'COMPLETE', error: '' } };
    const frame = { event: 'message-end', data: JSON.stringify(wire) };
    expect(isEnd(cohere, frame)).toBe(true);
    expect(toEvents(cohereCodec.streamDecoder(here), [frame]).at(-1)).toEqual({ kind: 'end' });
  });

  it('named finishReason does not end a stream of Gemini', () => {
    const wire = { candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: '' }] };
    const frame = { data: JSON.stringify(wire) };
    expect(isEnd(gemini, frame)).toBe(false);
    expect(toEvents(geminiCodec.streamDecoder(here), [frame]).at(-1)).toMatchObject({ error: { code: 'stream-cut' } });
    expect(geminiCodec.decodeAnswer(wire, here).choices[0]?.finish.reason).toBe('stop');
  });
});

describe('a chat stream', () => {
  it('is decoded into text, calls, a finish reason and usage', () => {
    const answer = foldAnswer(chatEvents(fixture('chat-tool-calls.sse')));
    expect(answer).toMatchObject({
      id: 'chatcmpl-7',
      model: 'gpt-4o-2024-08-06',
      created: 1_760_000_000,
      choices: [
        {
          finish: { reason: 'tool-calls', raw: 'tool_calls' },
          parts: [
            { kind: 'text', text: 'Let me look — ' },
            { kind: 'tool-call', id: 'call_a', name: 'get_weather', arguments: '{"city":"Lyon"}' },
            { kind: 'tool-call', id: 'call_b', name: 'get_time', arguments: '{}' },
          ],
        },
      ],
      usage: { input: 80, output: 31, cacheRead: 64, reasoning: 0 },
    });
  });

  it('is complete without [DONE] after a finish reason, and cut off without one', () => {
    expect(chatEvents(chunk({ content: 'Hi' }, 'stop')).at(-1)).toEqual({ kind: 'end' });
    expect(chatEvents(chunk({ content: 'Hi' })).at(-1)).toMatchObject({ kind: 'error', error: { code: 'stream-cut' } });
    expect(chatEvents('').at(-1)).toMatchObject({ kind: 'error' });
  });

  it('has the last of several finish reasons, unless that is "stop"', () => {
    const finishOf = (...reasons: readonly string[]): unknown =>
      foldAnswer(chatEvents(reasons.map((reason) => chunk({ content: 'Hi' }, reason)).join(''))).choices[0]?.finish;
    expect(finishOf('stop', 'length')).toEqual({ reason: 'length', raw: 'length' });
    expect(finishOf('length', 'stop')).toEqual({ reason: 'length', raw: 'length' });
    expect(finishOf('stop', 'stop')).toEqual({ reason: 'stop', raw: 'stop' });
  });

  it.each([['stop'], ['stop', 'stop'], ['stop', 'tool_calls']])(
    'has its calls if they come after the first finish reason: %j',
    (before, after?: string) => {
      const late = chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '' } }] });
      const text = chunk({ content: 'Hi' }, before) + late + (after === undefined ? '' : chunk({}, after));
      const [choice] = foldAnswer(chatEvents(`${text}data: [DONE]\n\n`)).choices;
      expect(choice?.finish.reason).toBe('tool-calls');
      expect(choice?.parts.slice(1)).toEqual([{ kind: 'tool-call', id: 'a', name: 'f', arguments: '{}' }]);
    },
  );

  it('starts with the first chunk that has a choice', () => {
    const filter = 'data: {"id":"","model":"","choices":[],"prompt_filter_results":[]}\n\n';
    expect(chatEvents(filter + chunk({ role: 'assistant' }))[0]).toEqual({
      kind: 'start',
      id: 'c',
      model: 'm',
      created: 1,
    });
  });

  it('ends at an error, whatever follows', () => {
    const events = chatEvents(`${chunk({ content: 'Hi' })}data: {"error":{"message":"Gone"}}\n\ndata: [DONE]\n\n`);
    expect(events.slice(-2)).toMatchObject([{ kind: 'text' }, { kind: 'error', error: { message: 'Gone' } }]);
  });

  it.each([{}, { index: 0 }, { index: null, id: null }, { id: '' }])(
    'separates calls without ids if each has a name and whole arguments: %j',
    (more) => {
      const text = calls(
        { ...more, function: { name: 'f', arguments: '{"a"' } },
        { ...more, function: { name: 'f', arguments: ':1}' } },
        { ...more, function: { name: 'f', arguments: '{"a":2}' } },
        { ...more, function: { name: '', arguments: ' ' } },
        { ...more, function: { name: 'g', arguments: { a: 3 } } },
      );
      expect(callsOf(text)).toMatchObject([
        { id: 'gw-call-c-0', name: 'f', arguments: '{"a":1}' },
        { id: 'gw-call-c-1', name: 'f', arguments: '{"a":2} ' },
        { id: 'gw-call-c-2', name: 'g', arguments: '{"a":3}' },
      ]);
    },
  );

  it('separates calls that share an index but have different ids', () => {
    const text = calls(
      { index: 0, id: 'a', function: { name: 'f', arguments: '{}' } },
      { index: 0, id: 'b', function: { name: 'g', arguments: '{}' } },
    );
    const [choice] = foldAnswer(chatEvents(`${text}data: [DONE]\n\n`)).choices;
    expect(choice?.parts).toMatchObject([
      { id: 'a', name: 'f' },
      { id: 'b', name: 'g' },
    ]);
  });

  it('assigns an id to a call without one, and waits for its name', () => {
    const text = calls(
      { index: 0, function: { arguments: '{"a"' } },
      { index: 0, function: { name: 'f', arguments: ':1}' } },
    );
    const [choice] = foldAnswer(chatEvents(`${text}data: [DONE]\n\n`)).choices;
    expect(choice?.parts).toEqual([{ kind: 'tool-call', id: 'gw-call-c-0', name: 'f', arguments: '{"a":1}' }]);
  });

  it('adds a piece with another id but no name to the call that is open at its index', () => {
    const text = calls(
      { index: 0, id: 'a', function: { name: 'f', arguments: '{"x"' } },
      { index: 0, id: 'z', function: { name: '', arguments: ':1' } },
      { index: 0, id: 'y', function: { arguments: '}' } },
    );
    expect(callsOf(text)).toEqual([{ kind: 'tool-call', id: 'a', name: 'f', arguments: '{"x":1}' }]);
  });

  it('adds a piece with another id but no name to the open call of a custom tool', () => {
    const text = calls(
      { index: 0, id: 'a', custom: { name: 'f', input: 'x' } },
      { index: 0, id: 'z', custom: { input: 'y' } },
      { index: 0, id: 'b', custom: { name: 'g', input: 'z' } },
    );
    expect(callsOf(text)).toMatchObject([
      { id: 'a', arguments: 'xy' },
      { id: 'b', arguments: 'z' },
    ]);
  });

  it('gives a call the id that arrives with its name, after pieces without an id', () => {
    const text = calls(
      { index: 0, function: { arguments: '{"a"' } },
      { index: 0, id: 'a', function: { name: 'f', arguments: ':1}' } },
    );
    expect(callsOf(text)).toEqual([{ kind: 'tool-call', id: 'a', name: 'f', arguments: '{"a":1}' }]);
  });

  it('gives a call the id that arrives between its first piece and its name', () => {
    const text = calls(
      { index: 0, function: { arguments: '{"a"' } },
      { index: 0, id: 'a' },
      { index: 0, function: { name: 'f', arguments: ':1}' } },
    );
    expect(callsOf(text)).toEqual([{ kind: 'tool-call', id: 'a', name: 'f', arguments: '{"a":1}' }]);
  });

  it.each([
    ['the same index', 0],
    ['no index', undefined],
  ])('adds each piece to the call with its id if pieces are interleaved with %s', (_what, index) => {
    const piece = (value: JsonObject): JsonObject => (index === undefined ? value : { index, ...value });
    const text = calls(
      piece({ id: 'a', function: { name: 'f', arguments: '{"x"' } }),
      piece({ id: 'b', function: { name: 'g', arguments: '{"y"' } }),
      piece({ id: 'a', function: { arguments: ':1' } }),
      piece({ function: { arguments: '}' } }),
      piece({ id: 'b', function: { arguments: ':2}' } }),
    );
    expect(callsOf(text)).toMatchObject([
      { id: 'a', arguments: '{"x":1}' },
      { id: 'b', arguments: '{"y":2}' },
    ]);
  });

  it('adds a piece without an index to the call with its id, even if it has a name', () => {
    const text = calls(
      { id: 'a', function: { name: 'f', arguments: '{"x"' } },
      { id: 'b', function: { name: 'g', arguments: '{}' } },
      { id: 'a', function: { name: 'f', arguments: ':1}' } },
    );
    expect(callsOf(text)).toMatchObject([
      { id: 'a', arguments: '{"x":1}' },
      { id: 'b', arguments: '{}' },
    ]);
  });

  it.each([
    ['[DONE]', 'data: [DONE]\n\n'],
    ['only its finish reason', ''],
  ])('is cut off if it ends with %s while the arguments of a call wait for its name', (_what, end) => {
    const cut = { kind: 'error', error: { code: 'stream-cut' } };
    const nameless = calls({ index: 0, id: 'a', function: { arguments: '{"x":1}' } });
    expect(chatEvents(nameless + chunk({}, 'tool_calls') + end).at(-1)).toMatchObject(cut);
    const named = calls({ index: 0, id: 'b', function: { name: 'f', arguments: '{}' } });
    expect(chatEvents(nameless + named + chunk({}, 'tool_calls') + end).at(-1)).toMatchObject(cut);
  });

  it('ends properly after a call that has neither a name nor arguments', () => {
    const text = calls({ index: 0, id: 'a' }) + chunk({ content: 'Hi' }, 'stop');
    const events = chatEvents(`${text}data: [DONE]\n\n`);
    expect(events.at(-1)).toEqual({ kind: 'end' });
    expect(foldAnswer(events).choices[0]?.finish).toEqual({ reason: 'stop', raw: 'stop' });
  });
});

const messagesEvents = (...events: readonly (JsonObject & { readonly type: string })[]): readonly AnswerEvent[] => {
  const all = [{ type: 'message_start', message: { id: 'm', model: 'x' } }, ...events];
  const frames = all.map((event) => ({ event: event.type, data: JSON.stringify(event) }));
  return toEvents(messagesCodec.streamDecoder(here), frames);
};

describe('a messages stream', () => {
  it('is decoded into thinking, text, calls, a finish reason and usage', () => {
    const events = toEvents(messagesCodec.streamDecoder(here), toFrames(fixture('messages-thinking-and-tools.sse')));
    expect(foldAnswer(events)).toMatchObject({
      id: 'msg_9',
      choices: [
        {
          finish: { reason: 'tool-calls' },
          parts: [
            {
              kind: 'reasoning',
              text: 'Two cities, two calls.',
              bound: { scope: 'here', kind: 'signature', value: 'c2lnbmVk' },
            },
            { kind: 'text', text: 'Checking both.' },
            { kind: 'tool-call', id: 'toolu_1', arguments: '{"city": "Lyon"}' },
            { kind: 'tool-call', id: 'toolu_2', arguments: '{}' },
          ],
        },
      ],
      usage: { input: 100, output: 90, cacheRead: 50, cacheWrite: 30, reasoning: 40 },
    });
  });

  it('is cut off without message_stop', () => {
    const frames = toFrames(fixture('messages-thinking-and-tools.sse')).slice(0, -1);
    expect(toEvents(messagesCodec.streamDecoder(here), frames).at(-1)).toMatchObject({ kind: 'error' });
  });

  it('has calls and parts before the finish reason even if their blocks do not stop', () => {
    const custom = { type: 'tool_use', id: 'c', name: 'sql', input: {} };
    const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };
    const events = messagesEvents(
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hi' } },
      { type: 'content_block_start', index: 1, content_block: search },
      { type: 'content_block_start', index: 2, content_block: custom },
      { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"gw_input":"a"}' } },
      { type: 'message_delta', delta: { stop_reason: null } },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      { type: 'content_block_stop', index: 2 },
      { type: 'message_stop' },
    );
    expect(events.map(({ kind }) => kind)).toEqual([
      'start',
      ...['text', 'block-end', 'part', 'block-end'],
      ...['tool-call', 'tool-arguments', 'block-end'],
      'finish',
      'end',
    ]);
  });

  it('completes a block if another block takes its index before it stops', () => {
    const text = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hi' } };
    const begun = { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'c', name: 'f' } };
    const piece = {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json: '{"a":1}' },
    };
    const kinds = (...events: readonly { readonly type: string }[]) =>
      messagesEvents(...events).map(({ kind }) => kind);
    expect(kinds(text, begun, text, begun, piece, text)).toEqual([
      'start',
      ...['text', 'block-end', 'tool-call', 'tool-arguments', 'block-end'],
      ...['text', 'block-end', 'tool-call', 'tool-arguments', 'block-end', 'text', 'error'],
    ]);
    const torn = { ...piece, delta: { ...piece.delta, partial_json: '{"a' } };
    expect(kinds(begun, torn, text, { type: 'message_stop' })).toEqual([
      'start',
      'tool-call',
      'tool-arguments',
      'error',
    ]);
  });

  it('is cut off if a call is incomplete at the finish reason, but keeps complete parts before it', () => {
    const events = messagesEvents(
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hi' } },
      { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'c', name: 'f', input: {} } },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"gw_input":"a' } },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      { type: 'message_stop' },
    );
    expect(events.map(({ kind }) => kind)).toEqual(['start', 'text', 'block-end', 'finish', 'error']);
    expect(events.at(-1)).toMatchObject({ error: { code: 'stream-cut' } });
  });

  it("is decoded into a complete call of the provider's own tool", () => {
    const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };
    const frames = [
      { type: 'message_start', message: { id: 'm', model: 'x' } },
      { type: 'content_block_start', index: 0, content_block: search },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"query":"q"}' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_stop' },
    ].map((event) => ({ event: event.type, data: JSON.stringify(event) }));
    expect(foldAnswer(toEvents(messagesCodec.streamDecoder(here), frames)).choices[0]?.parts).toEqual([
      {
        kind: 'server-tool-call',
        id: 's',
        name: 'web_search',
        arguments: '{"query":"q"}',
        dialect: 'messages',
        value: { ...search, input: { query: 'q' } },
      },
    ]);
  });
});

describe('a stream for a chat client', () => {
  it('has the role, the deltas, the finish reason, the usage and [DONE]', () => {
    const text = streamVia(messagesCodec, chatCodec, fixture('messages-thinking-and-tools.sse'));
    const chunks = toFrames(text).map(({ data }) => data);
    expect(chunks.at(-1)).toBe('[DONE]');
    expect(chunks.at(-2)).toContain(
      '"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":90,"total_tokens":190',
    );
    expect(chunks.at(-3)).toContain('"finish_reason":"tool_calls"');
    expect(chunks[0]).toContain('"delta":{"role":"assistant","content":""}');
    expect(text).not.toContain('Two cities');
  });

  it('has usage only if the client requested it', () => {
    const silent = { ...answerOptions, streamUsage: false };
    expect(streamVia(messagesCodec, chatCodec, fixture('messages-thinking-and-tools.sse'), silent)).not.toContain(
      'usage',
    );
  });

  it('has blocks if the client is not strict, from which the reasoning can be read back', () => {
    const loose = { ...answerOptions, strict: false };
    const text = streamVia(messagesCodec, chatCodec, fixture('messages-thinking-and-tools.sse'), loose);
    expect(foldAnswer(chatEvents(text)).choices[0]?.parts.slice(0, 2)).toEqual([
      {
        kind: 'reasoning',
        text: 'Two cities, two calls.',
        bound: { scope: 'here', kind: 'signature', value: 'c2lnbmVk' },
      },
      { kind: 'text', text: 'Checking both.' },
    ]);
  });

  it('ends with the error of a provider instead of [DONE]', () => {
    const text = streamVia(messagesCodec, chatCodec, fixture('messages-overloaded.sse'));
    expect(outline(text).at(-1)).toContain('"error":{"message":"Overloaded","type":"overloaded_error"');
    expect(text).not.toContain('[DONE]');
  });
});

describe('a stream for a messages client', () => {
  it('has one block after another between message_start and message_stop', () => {
    const text = streamVia(chatCodec, messagesCodec, fixture('chat-tool-calls.sse'));
    expect(toFrames(text).map(({ event }) => event)).toEqual([
      'message_start',
      ...['content_block_start', 'content_block_delta', 'content_block_stop'],
      ...['content_block_start', 'content_block_delta', 'content_block_delta', 'content_block_stop'],
      ...['content_block_start', 'content_block_delta', 'content_block_stop'],
      'message_delta',
      'message_stop',
    ]);
    expect(text).toContain(
      '"delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"input_tokens":16,"output_tokens":31',
    );
  });

  it('keeps the pieces of a call together if they are interleaved with those of another', () => {
    const text = calls(
      { index: 0, id: 'a', function: { name: 'f', arguments: '{"x"' } },
      { index: 1, id: 'b', function: { name: 'g', arguments: '{"y"' } },
      { index: 0, function: { arguments: ':1}' } },
      { index: 1, function: { arguments: ':2}' } },
    );
    const relayed = streamVia(chatCodec, messagesCodec, text + chunk({}, 'tool_calls'));
    const indexes = toFrames(relayed).flatMap(({ data }) => /"index":(\d)/.exec(data)?.[1] ?? []);
    expect(indexes).toEqual([...indexes].sort());
    const [choice] = foldAnswer(toEvents(messagesCodec.streamDecoder(here), toFrames(relayed))).choices;
    expect(choice?.parts).toMatchObject([{ arguments: '{"x":1}' }, { arguments: '{"y":2}' }]);
  });

  it('ends with an error instead of message_stop if the provider is cut off', () => {
    const text = streamVia(chatCodec, messagesCodec, chunk({ content: 'Hi' }));
    expect(outline(text).at(-1)).toMatch(/^error \{"type":"error","error":\{"type":"api_error"/);
    expect(text).not.toContain('message_stop');
  });
});

describe.each([
  ['chat', chatCodec],
  ['messages', messagesCodec],
])('a stream encoder of %s', (_id, codec) => {
  const start: AnswerEvent = { kind: 'start', id: 'a', model: 'm' };
  const finish: AnswerEvent = { kind: 'finish', choice: 0, finish: { reason: 'stop' } };

  it('ends once, and writes nothing afterwards', () => {
    const encoder = codec.streamEncoder(answerOptions);
    for (const event of [start, finish]) encoder.push(event);
    expect(toText(encoder.push({ kind: 'end' }))).toMatch(/\[DONE\]|message_stop/);
    expect([...encoder.end(), ...encoder.push(finish), ...encoder.fail(errorReport('stream-cut', {}))]).toEqual([]);
  });

  it('writes nothing after a failure', () => {
    const encoder = codec.streamEncoder(answerOptions);
    encoder.push(start);
    expect(toText(encoder.fail(errorReport('stream-idle', { ms: 5 })))).toContain('stream-idle');
    expect([...encoder.push(finish), ...encoder.push({ kind: 'end' }), ...encoder.end()]).toEqual([]);
  });

  it('reports a cut-off stream if it never started', () => {
    expect(toText(codec.streamEncoder(answerOptions).end())).toContain('stream-cut');
  });

  it('reports a cut-off stream if it has no finish reason', () => {
    const encoder = codec.streamEncoder(answerOptions);
    encoder.push(start);
    expect(toText(encoder.end())).toContain('stream-cut');
  });
});
