import { describe, expect, it } from 'vitest';
import type { Answer, AnswerEvent, Finish } from '../../../../schema/conversation/answer.ts';
import type { Citation, Part } from '../../../../schema/conversation/conversation.ts';
import { foldAnswer } from '../../../../schema/conversation/fold-answer.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { roundTripAnswer, toAnswer } from '../support/both-ways.ts';
import { answerOptions, here, messagesCodec } from '../support/codecs.ts';
import { toEvents, toFrames, toText } from '../support/frames.ts';

const findParts = ({ choices }: Answer): readonly Part[] | undefined => choices[0]?.parts;

const answer = (content: readonly Json[], more: JsonObject = {}): Answer =>
  messagesCodec.decodeAnswer({ id: 'a', model: 'm', content, stop_reason: 'end_turn', ...more }, here);

/** Returns the events of a stream with one block, which starts as given and continues with the deltas. */
const eventsOfBlock = (block: JsonObject, ...deltas: readonly JsonObject[]): readonly AnswerEvent[] => {
  const frames = [
    { type: 'message_start', message: { id: 'a', model: 'm' } },
    { type: 'content_block_start', index: 0, content_block: block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  ].map((event) => ({ event: event.type, data: JSON.stringify(event) }));
  return toEvents(messagesCodec.streamDecoder(here), frames);
};

const json = (piece: string): JsonObject => ({ type: 'input_json_delta', partial_json: piece });
const at = { document_index: 0, document_title: null };

describe('a citation in a text', () => {
  it.each<[JsonObject, Citation]>([
    [
      { type: 'char_location', cited_text: 'w', ...at, start_char_index: 1, end_char_index: 2 },
      { source: 0, quote: 'w', at: { unit: 'character', from: 1, to: 2 } },
    ],
    [
      { type: 'page_location', cited_text: 'w', ...at, document_title: 'T', start_page_number: 1, end_page_number: 2 },
      { source: 0, title: 'T', quote: 'w', at: { unit: 'page', from: 1, to: 2 } },
    ],
    [
      { type: 'content_block_location', cited_text: 'w', ...at, start_block_index: 0, end_block_index: 1 },
      { source: 0, quote: 'w', at: { unit: 'block', from: 0, to: 1 } },
    ],
    [
      {
        type: 'web_search_result_location',
        cited_text: 'w',
        url: 'https://a.example',
        title: 'A',
        encrypted_index: '',
      },
      { url: 'https://a.example', title: 'A', quote: 'w' },
    ],
    [
      {
        type: 'search_result_location',
        cited_text: 'w',
        source: 's',
        title: null,
        search_result_index: 0,
        start_block_index: 2,
        end_block_index: 3,
      },
      { source: 's', quote: 'w', at: { unit: 'block', from: 2, to: 3 } },
    ],
  ])('is read and written, whole and in a stream (%#)', (wire, citation) => {
    const block = { type: 'text', text: 'Words.', citations: [wire] };
    const part: Part = { kind: 'text', text: 'Words.', citations: [citation] };
    expect(findParts(answer([block]))).toEqual([part]);
    const delta = { type: 'citations_delta', citation: wire };
    const events = eventsOfBlock({ type: 'text', text: '' }, delta, { type: 'text_delta', text: 'Words.' });
    expect(findParts(foldAnswer(events))).toEqual([part]);
    const { wire: body, streamed } = roundTripAnswer(messagesCodec, toAnswer([part]));
    expect(body.content).toEqual([block]);
    expect(findParts(streamed)).toEqual([part]);
  });

  it('is omitted if its type is unknown', () => {
    expect(findParts(answer([{ type: 'text', text: 'Hi', citations: [{ type: 'yet_to_come' }] }]))).toEqual([
      { kind: 'text', text: 'Hi' },
    ]);
  });

  it('of a file is written as a search result', () => {
    const part: Part = { kind: 'text', text: 'Hi', citations: [{ source: 'file-1', title: 'a.pdf' }] };
    const { wire } = roundTripAnswer(messagesCodec, toAnswer([part]));
    expect(wire.content).toMatchObject([{ citations: [{ type: 'search_result_location', source: 'file-1' }] }]);
  });

  it('is dropped if its text has already stopped', () => {
    const encoder = messagesCodec.streamEncoder(answerOptions);
    const block = { choice: 0, block: 0 };
    const events: readonly AnswerEvent[] = [
      { kind: 'text', ...block, text: 'Hi' },
      { kind: 'text', choice: 0, block: 1, text: 'Ho' },
      { kind: 'citation', ...block, citation: { url: 'https://a.example' } },
    ];
    const text = toText(events.flatMap((event) => encoder.push(event)));
    expect(text.match(/event: content_block_start/g)).toHaveLength(2);
    expect(text).not.toContain('citations_delta');
  });
});

describe("results of the provider's own tools in an answer", () => {
  const page = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Words.' }, title: 'T' };
  it.each<[JsonObject, string]>([
    [
      {
        type: 'web_fetch_tool_result',
        tool_use_id: 's',
        content: { type: 'web_fetch_result', url: 'https://a.example', content: page },
      },
      'https://a.example\nT\nWords.',
    ],
    [
      {
        type: 'code_execution_tool_result',
        tool_use_id: 's',
        content: { type: 'code_execution_result', stdout: '4', stderr: 'slow', return_code: 0, content: [] },
      },
      '4\nslow',
    ],
    [
      {
        type: 'web_search_tool_result',
        tool_use_id: 's',
        content: { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' },
      },
      'max_uses_exceeded',
    ],
    [{ type: 'mcp_tool_result', tool_use_id: 's', content: [{ type: 'text', text: 'Hi' }] }, 'Hi'],
    [
      {
        type: 'web_fetch_tool_result',
        tool_use_id: 's',
        content: { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AAAA' } },
      },
      '',
    ],
  ])('have a readable text, and are written back unchanged (%#)', (value, text) => {
    const part: Part = { kind: 'server-tool-result', id: 's', text, dialect: 'messages', value };
    expect(findParts(answer([value]))).toEqual([part]);
    expect(findParts(foldAnswer(eventsOfBlock(value)))).toEqual([part]);
    const { wire, streamed } = roundTripAnswer(messagesCodec, toAnswer([part]));
    expect(wire.content).toEqual([value]);
    expect(findParts(streamed)).toEqual([part]);
  });
});

describe('a tool call in an answer', () => {
  it.each<[string, readonly string[]]>([
    ['in one piece', ['{"gw_input":"a\\n\\"b\\""}']],
    ['in small pieces', ['{', '"gw_', 'input"', ': "a\\', 'n\\"b', '\\""', '}']],
    ['with white space', [' { ', '"gw_input" : ', '"a\\n\\"b\\"" } ']],
  ])('belongs to a custom tool if its input has that form, %s', (_what, pieces) => {
    const custom: Part = { kind: 'tool-call', id: 'c', name: 'sql', arguments: 'a\n"b"', input: 'text' };
    const block = { type: 'tool_use', id: 'c', name: 'sql', input: {} };
    expect(findParts(foldAnswer(eventsOfBlock(block, ...pieces.map(json))))).toEqual([custom]);
    expect(findParts(answer([{ ...block, input: { gw_input: 'a\n"b"' } }]))).toEqual([custom]);
    const { whole, streamed } = roundTripAnswer(messagesCodec, toAnswer([custom]));
    expect(findParts(whole)).toEqual([custom]);
    expect(findParts(streamed)).toEqual([custom]);
  });

  it('is passed on as soon as its input cannot be that of a custom tool', () => {
    const block = { type: 'tool_use', id: 'c', name: 'f', input: {} };
    const kinds = eventsOfBlock(block, json('{"g'), json('o":1'), json('}')).map(({ kind }) => kind);
    expect(kinds).toEqual(['start', 'tool-call', 'tool-arguments', 'tool-arguments', 'block-end', 'finish', 'end']);
  });

  it('is cut off if the message ends before its input does', () => {
    const frames = [
      { type: 'message_start', message: { id: 'a', model: 'm' } },
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'c', name: 'f', input: {} } },
      { type: 'content_block_delta', index: 0, delta: json('{"gw_input":"a') },
      { type: 'message_stop' },
    ].map((event) => ({ event: event.type, data: JSON.stringify(event) }));
    expect(toEvents(messagesCodec.streamDecoder(here), frames).at(-1)).toMatchObject({
      kind: 'error',
      error: { code: 'stream-cut' },
    });
  });
});

describe('an answer for messages clients', () => {
  it('has an intact character if two pieces of a text split it', () => {
    const encoder = messagesCodec.streamEncoder(answerOptions);
    const block = { choice: 0, block: 0 };
    const [high = '', low = ''] = '👋'.split('');
    const events: readonly AnswerEvent[] = [
      { kind: 'start', id: 'a', model: 'm' },
      { kind: 'tool-call', ...block, id: 'c', name: 'sql', input: 'text' },
      { kind: 'tool-arguments', ...block, text: high },
      { kind: 'tool-arguments', ...block, text: low },
      { kind: 'finish', choice: 0, finish: { reason: 'tool-calls' } },
      { kind: 'end' },
    ];
    const text = toText(events.flatMap((event) => encoder.push(event)));
    const [part] = findParts(foldAnswer(toEvents(messagesCodec.streamDecoder(here), toFrames(text)))) ?? [];
    expect(part).toMatchObject({ arguments: '👋' });
  });

  it('sends text that arrives during a custom call after it, once the block of the call ends', () => {
    const encoder = messagesCodec.streamEncoder(answerOptions);
    const custom = { choice: 0, block: 0 };
    const events: readonly AnswerEvent[] = [
      { kind: 'tool-call', ...custom, id: 'c', name: 'sql', input: 'text' },
      { kind: 'tool-arguments', ...custom, text: '{}' },
      { kind: 'text', choice: 0, block: 1, text: 'Hi' },
      { kind: 'tool-arguments', ...custom, text: 'x' },
    ];
    const before = toText(events.flatMap((event) => encoder.push(event)));
    expect(before).not.toContain('Hi');
    const text = toText(encoder.push({ kind: 'block-end', ...custom }));
    expect(text).toMatch(/partial_json":"\\"}".*content_block_stop.*text_delta","text":"Hi"/s);
  });

  it('has a summary as thinking, with the encrypted reasoning as its signature', () => {
    const bound = { scope: 'there', kind: 'encrypted', value: 'xx' } as const;
    const { wire, streamed } = roundTripAnswer(
      messagesCodec,
      toAnswer([{ kind: 'reasoning', text: '', summary: ['First.', 'Then.'], bound }]),
    );
    expect(wire.content).toEqual([{ type: 'thinking', thinking: 'First.\n\nThen.', signature: 'gw1.there.xx' }]);
    expect(findParts(streamed)).toEqual([
      { kind: 'reasoning', text: 'First.\n\nThen.', bound: { ...bound, kind: 'signature' } },
    ]);
  });

  it.each<[Finish, JsonObject]>([
    [{ reason: 'context-window' }, { stop_reason: 'model_context_window_exceeded' }],
    [{ reason: 'compaction' }, { stop_reason: 'compaction' }],
    [{ reason: 'pause' }, { stop_reason: 'pause_turn' }],
    [{ reason: 'malformed-call' }, { stop_reason: 'end_turn' }],
    [{ reason: 'blocked-prompt' }, { stop_reason: 'refusal' }],
    [
      { reason: 'refusal', details: 'It was refused.' },
      { stop_reason: 'refusal', stop_details: { type: 'refusal', category: null, explanation: 'It was refused.' } },
    ],
  ])('has the stop reason of the format (%#)', (finish, expected) => {
    const { wire, whole, streamed } = roundTripAnswer(messagesCodec, toAnswer([], { finish }));
    expect(wire).toMatchObject(expected);
    expect(whole.choices[0]?.finish.details).toBe(finish.details);
    expect(streamed.choices[0]?.finish).toEqual(whole.choices[0]?.finish);
  });

  it('has the category of a refusal if there is no explanation, and keeps it', () => {
    const details = { type: 'refusal', category: 'cyber', explanation: null };
    const read = answer([], { stop_reason: 'refusal', stop_details: details });
    expect(read.choices[0]?.finish).toEqual({ reason: 'refusal', raw: 'refusal', details: 'cyber' });
    expect(messagesCodec.encodeAnswer(read, answerOptions).stop_details).toEqual(details);
  });

  it('counts tokens cached for an hour and tool calls, and has the service tier', () => {
    const wire = {
      input_tokens: 1,
      output_tokens: 2,
      cache_creation_input_tokens: 30,
      cache_read_input_tokens: null,
      cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
      server_tool_use: { web_search_requests: 3, web_fetch_requests: 0 },
      service_tier: 'standard',
    };
    const { usage } = answer([], { usage: wire });
    const counts = { cacheWrite: 30, cacheWriteByTtl: { '1h': 20 }, calls: { web_search: 3 }, tier: 'default' };
    expect(usage).toMatchObject(counts);
    expect(usage).toBeDefined();
    if (usage === undefined) return;
    const again = roundTripAnswer(messagesCodec, toAnswer([], { usage }));
    expect(again.wire.usage).toEqual(wire);
    expect(again.streamed.usage).toMatchObject(counts);
  });

  it('has no counts of caching for an hour or of tool calls if there were none', () => {
    const { usage } = answer([], {
      usage: {
        input_tokens: 1,
        output_tokens: 2,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
        server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
      },
    });
    expect(usage).not.toHaveProperty('cacheWriteByTtl');
    expect(usage).not.toHaveProperty('calls');
  });
});
