import { describe, expect, it } from 'vitest';
import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import { converse } from '../../../../plugins/dialects/converse/converse.ts';
import { gemini } from '../../../../plugins/dialects/gemini/gemini.ts';
import { messages } from '../../../../plugins/dialects/messages/messages.ts';
import { responses } from '../../../../plugins/dialects/responses/responses.ts';
import type { Dialect, Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import { findAnswerCodec } from '../../../../plugins/sdk/dialect/find-answer-codec.ts';
import {
  isUnreported,
  UnreportedDecoder,
} from '../../../../runtime/engine/stream-stages/unreported/unreported-texts.ts';
import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import { isJsonObject } from '../../../../schema/json/json.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import { here } from '../../../plugins/dialects/support/codecs.ts';
import { harmless, modes, run, streaming, word } from './judged-modes.ts';
import { toBytes, toFrames } from './kit.ts';

const called: readonly AnswerEvent[] = [
  { kind: 'start', id: 'a', model: 'm', created: 1 },
  { kind: 'reasoning', choice: 0, block: 0, text: 'Let me ' },
  { kind: 'reasoning', choice: 0, block: 0, text: 'think.' },
  { kind: 'block-end', choice: 0, block: 0 },
  { kind: 'text', choice: 0, block: 1, text: 'I ask.' },
  { kind: 'block-end', choice: 0, block: 1 },
  { kind: 'tool-call', choice: 0, block: 2, id: 'call_1', name: 'look_up' },
  { kind: 'tool-arguments', choice: 0, block: 2, text: '{"of":"some ' },
  { kind: 'tool-arguments', choice: 0, block: 2, text: 'water"}' },
  { kind: 'block-end', choice: 0, block: 2 },
  { kind: 'finish', choice: 0, finish: { reason: 'tool-calls' } },
  { kind: 'end' },
];

/** Sorted, because an event that stands alone waits for no verdict. */
const readEvents = (bytes: Buffer): readonly string[] => bytes.toString().split('\n\n').toSorted();

/** Returns what the frames contain that no event reports. */
const findUnreported = (dialect: Dialect, frames: readonly Frame[]): readonly AnswerEvent[] => {
  const decoder = findAnswerCodec(dialect)?.streamDecoder(here);
  if (decoder === undefined || dialect.frameTexts === undefined) throw new Error(`${dialect.id} has no streams.`);
  const unreported = new UnreportedDecoder(decoder, {
    read: dialect.frameTexts.bind(dialect),
    unknown: 'judge',
    areGiven: true,
  });
  return frames
    .flatMap((frame) => unreported.push(frame))
    .filter((event) => event.kind === 'extension' && isUnreported(event));
};

describe.each(streaming)('the frames of $id', ({ dialect }) => {
  it('contain nothing that their events do not report', () => {
    expect(findUnreported(dialect, toFrames(dialect, harmless))).toEqual([]);
    if (dialect.conversation !== undefined) expect(findUnreported(dialect, toFrames(dialect, called))).toEqual([]);
  });

  it.each(modes)('contain no denied word after the end of the answer, judged $mode', async ({ guardrail }) => {
    const frames = toFrames(dialect, harmless);
    const last: readonly Frame[] = [
      { event: 'invented', data: JSON.stringify({ type: 'invented', says: `the ${word}` }) },
      { data: JSON.stringify({ says: [{ deep: `the ${word}` }] }) },
      ...(dialect.framing === 'aws-eventstream' ? [] : [{ data: `[DONE] the ${word}` }]),
      ...frames.flatMap((frame) => {
        const data = parseJson(frame.data);
        return isJsonObject(data) ? [{ ...frame, data: JSON.stringify({ ...data, says: `the ${word}` }) }] : [];
      }),
    ];
    for (const frame of last) {
      const { bytes, trail } = await run(dialect, [...frames, frame], guardrail);
      expect(bytes.toString(), JSON.stringify(frame)).not.toContain(word);
      // In some dialects the frame is still a part of the answer, or revokes its end.
      if (!JSON.stringify(trail).includes('"denied"') && !bytes.includes('stream-cut'))
        expect(readEvents(bytes)).toEqual(readEvents(toBytes(dialect, frames)));
    }
  });

  it.each(modes)('are passed on as received if they end as usual, judged $mode', async ({ guardrail }) => {
    const frames = toFrames(dialect, harmless);
    const { bytes } = await run(dialect, frames, guardrail);
    expect(readEvents(bytes)).toEqual(readEvents(toBytes(dialect, frames)));
  });
});

it.each(modes)('denies words in place of the end mark in a stream that is judged $mode', async ({ guardrail }) => {
  const frames = toFrames(chat, harmless).map((each) =>
    each.data === '[DONE]' ? { data: `[DONE] the ${word}` } : each,
  );
  const { bytes } = await run(chat, frames, guardrail);
  expect(bytes.toString()).not.toContain(word);
});

const event = (type: string, more: object): Frame => ({ event: type, data: JSON.stringify({ type, ...more }) });
const chunk = (delta: object, more: object = {}): Frame => ({
  data: JSON.stringify({ id: 'a', model: 'm', choices: [{ index: 0, delta, finish_reason: null, ...more }] }),
});
const chatEnd: readonly Frame[] = [chunk({}, { finish_reason: 'stop' }), { data: '[DONE]' }];
const candidate = (parts: readonly object[]): Frame => ({
  data: JSON.stringify({ candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }] }),
});
const named = (name: string, data: object): Frame => ({ event: name, data: JSON.stringify(data) });
const block = (delta: object): readonly Frame[] => [
  named('messageStart', { role: 'assistant' }),
  named('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'It is ' } }),
  named('contentBlockDelta', { contentBlockIndex: 0, delta }),
  named('contentBlockStop', { contentBlockIndex: 0 }),
  named('messageStop', { stopReason: 'end_turn' }),
];
const search = (query: string): object => ({
  type: 'web_search_call',
  id: 'ws_1',
  status: 'completed',
  action: { type: 'search', query },
});
const searched = (last: string): readonly Frame[] => {
  const response = { id: 'r', object: 'response', model: 'm', status: 'completed' };
  return [
    event('response.created', { response: { ...response, output: [] } }),
    event('response.output_item.done', { output_index: 0, item: search('some water') }),
    event('response.completed', { response: { ...response, output: [search(last)] } }),
  ];
};

/** Frames that contain two things where their format allows one, of which a decoder reports one. */
const doubled: Readonly<Record<string, readonly [Dialect, (words: string) => readonly Frame[]]>> = {
  'in converse, a citation beside a text': [
    converse,
    (words) => block({ text: 'water.', citation: { title: words, sourceContent: [{ text: words }] } }),
  ],
  'in converse, a call beside a text': [converse, (words) => block({ text: 'water.', toolUse: { input: words } })],
  'in converse, reasoning beside a text': [
    converse,
    (words) => block({ text: 'water.', reasoningContent: { text: words } }),
  ],
  'in gemini, a text beside a call': [
    gemini,
    (words) => [candidate([{ text: words, functionCall: { name: 'f', args: { a: 'water' } } }])],
  ],
  'in gemini, a call beside a text': [
    gemini,
    (words) => [candidate([{ text: 'water', functionCall: { name: 'f', args: { a: words } } }])],
  ],
  'in chat, reasoning beside reasoning_content': [
    chat,
    (words) => [chunk({ content: '', reasoning: words, reasoning_content: 'water' }), ...chatEnd],
  ],
  'in chat, reasoning_content beside reasoning': [
    chat,
    (words) => [chunk({ content: '', reasoning: 'water', reasoning_content: words }), ...chatEnd],
  ],
  'in chat, a content block beside a text': [
    chat,
    (words) => [chunk({ content: 'water', content_blocks: [{ index: 0, delta: { text: words } }] }), ...chatEnd],
  ],
  'in chat, a text beside content blocks': [
    chat,
    (words) => [chunk({ content: words, content_blocks: [{ index: 0, delta: { text: 'water' } }] }), ...chatEnd],
  ],
  'in chat, a function call beside tool calls': [
    chat,
    (words) => [
      chunk({
        tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":"water"}' } }],
        function_call: { name: 'f', arguments: JSON.stringify({ a: words }) },
      }),
      ...chatEnd,
    ],
  ],
  'in messages, a text of another type than its delta': [
    messages,
    (words) => [
      event('message_start', { message: { id: 'a', model: 'm', role: 'assistant', content: [] } }),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'water', thinking: words } }),
      event('content_block_stop', { index: 0 }),
      event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }),
      event('message_stop', {}),
    ],
  ],
  "in responses, another input of a server's tool at the end": [responses, searched],
};

describe.each(Object.entries(doubled))('%s', (_name, [dialect, framesWith]) => {
  it.each(modes)('is denied for a word in it, judged $mode', async ({ guardrail }) => {
    const { bytes, trail } = await run(dialect, framesWith(`the ${word} it is`), guardrail);
    expect(JSON.stringify(trail)).toContain('"denied"');
    expect(bytes.toString()).not.toContain(word);
  });

  it.each(modes)('is passed on as received if both are permitted, judged $mode', async ({ guardrail }) => {
    const frames = framesWith('as ever');
    const { bytes } = await run(dialect, frames, guardrail);
    expect(bytes.equals(toBytes(dialect, frames))).toBe(true);
  });
});

it("judges the input of a server's tool once if the end repeats it", () => {
  expect(findUnreported(responses, searched('some water'))).toEqual([]);
});
