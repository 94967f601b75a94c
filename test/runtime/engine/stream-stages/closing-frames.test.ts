import { describe, expect, it } from 'vitest';
import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import { messages } from '../../../../plugins/dialects/messages/messages.ts';
import { responses } from '../../../../plugins/dialects/responses/responses.ts';
import type { Dialect, Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import { never, neverInWindows, runStream, toBytes, toReadable } from './kit.ts';

const word = 'plutonium';
const config = { output_guardrails: [{ 'test.never': {}, deny: true }] };
const modes = [neverInWindows(word), never(word)];

const event = (type: string, more: object): Frame => ({ event: type, data: JSON.stringify({ type, ...more }) });
const message = (text: string, status = 'completed'): object => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status,
  content: status === 'completed' ? [{ type: 'output_text', text, annotations: [] }] : [],
});
const at = { output_index: 0, content_index: 0, item_id: 'msg_1' };
const response = (text: string): object => ({
  id: 'r',
  model: 'm',
  created_at: 1,
  status: 'completed',
  output: [message(text)],
});

/** A stream of the responses dialect in which each frame can contain a different text. */
interface StreamTexts {
  readonly deltas?: readonly string[];
  readonly text?: string;
  readonly part?: string;
  readonly item?: string;
  readonly last?: string;
}

const buildFrames = ({
  deltas = ['It is ', 'water.'],
  text = 'It is water.',
  ...more
}: StreamTexts): readonly Frame[] => {
  const { part = text, item = text, last = text } = more;
  return [
    event('response.created', { response: { id: 'r', model: 'm', created_at: 1, output: [] } }),
    event('response.output_item.added', { output_index: 0, item: message('', 'in_progress') }),
    event('response.content_part.added', { ...at, part: { type: 'output_text', text: '' } }),
    ...deltas.map((delta) => event('response.output_text.delta', { ...at, delta })),
    event('response.output_text.done', { ...at, text }),
    event('response.content_part.done', { ...at, part: { type: 'output_text', text: part } }),
    event('response.output_item.done', { output_index: 0, item: message(item) }),
    event('response.completed', { response: response(last) }),
  ];
};

const run = (dialect: Dialect, frames: readonly Frame[], guardrail = neverInWindows(word)) =>
  runStream({
    client: dialect,
    upstream: dialect,
    chunks: [toBytes(dialect, frames)],
    guardrails: [guardrail],
    config,
  });

describe('a closing frame that repeats the text', () => {
  it('is passed on unchanged', async () => {
    for (const guardrail of modes) {
      const { bytes } = await run(responses, buildFrames({}), guardrail);
      expect(bytes.toString()).toBe(toBytes(responses, buildFrames({})).toString());
    }
  });

  it.each([
    [
      'at the end of a text',
      { text: `It is ${word}.`, part: 'It is water.', item: 'It is water.', last: 'It is water.' },
    ],
    ['at the end of a part', { part: `It is ${word}.`, item: 'It is water.', last: 'It is water.' }],
    ['at the end of an item, after the text', { item: `It is water.${word}`, last: 'It is water.' }],
    ['at the end of an item, in a text of the same length', { item: `It ${word}`, last: 'It is water.' }],
    ['at the end of the answer', { last: `It is ${word}.` }],
    ['at each end, after no deltas', { deltas: [], text: `It is ${word}.` }],
  ])('does not reach the client if only it contains the word, %s', async (_where, texts) => {
    for (const guardrail of modes) {
      const { frames, bytes } = await run(responses, buildFrames(texts), guardrail);
      expect(toReadable(frames).filter((text) => text.includes(word))).toEqual([]);
      expect(bytes.toString()).not.toContain(word);
    }
  });

  it('contains the replacement of a replaced text', async () => {
    const guardrail = never('x', {
      parts: () => ({ overlap: 8 }),
      rewrites: () => true,
      create:
        () =>
        ({ text }) => {
          const from = text.indexOf('water');
          return {
            pass: true,
            data: {},
            ...(from === -1 ? {} : { replace: [{ span: 0, from, to: from + 5, with: '[LIQUID]' }] }),
          };
        },
    });
    const { frames, bytes } = await run(responses, buildFrames({}), guardrail);
    expect(bytes.toString()).not.toContain('water');
    for (const type of [
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ])
      expect(frames.find((frame) => frame.event === type)?.data).toContain('It is [LIQUID].');
  });
});

const chunk = (choice: object): Frame => ({ data: JSON.stringify({ id: 'a', model: 'm', choices: [choice] }) });
const done: Frame = { data: '[DONE]' };

// Its events do not report the text, so checks get it separately: the answer contains the word, and is denied.
describe('a frame of another dialect that contains a whole text', () => {
  it('is denied in chat, beside its delta', async () => {
    const frames = [
      chunk({ index: 0, delta: { content: 'It is ' }, message: { content: 'It is ' }, finish_reason: null }),
      chunk({ index: 0, delta: { content: 'water.' }, message: { content: `It is ${word}` }, finish_reason: 'stop' }),
      done,
    ];
    const { bytes, trail } = await run(chat, frames);
    expect(trail.at(-1)).toMatchObject({ result: 'denied' });
    expect(bytes.toString()).not.toContain(word);
  });

  it('is denied in messages, at its start', async () => {
    const frames = [
      event('message_start', {
        message: {
          id: 'a',
          model: 'm',
          content: [{ type: 'text', text: word }],
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      }),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'water' } }),
      event('content_block_stop', { index: 0 }),
      event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }),
      event('message_stop', {}),
    ];
    const { status, bytes } = await run(messages, frames);
    expect(status).toBe(446);
    expect(bytes.toString()).not.toContain(word);
  });
});

describe('a denied word', () => {
  it.each(modes.map((guardrail) => [guardrail]))(
    'reaches no client in the second of two choices',
    async (guardrail) => {
      const pieces = ['I', 't is', ' plu', 'ton', 'ium', ' and', ' more', ' of it.'];
      const frames = [
        ...pieces.flatMap((text) => [
          chunk({ index: 0, delta: { content: 'water ' }, finish_reason: null }),
          chunk({ index: 1, delta: { content: text }, finish_reason: null }),
        ]),
        chunk({ index: 0, delta: {}, finish_reason: 'stop' }),
        chunk({ index: 1, delta: {}, finish_reason: 'stop' }),
        done,
      ];
      for (const client of [chat, messages]) {
        const result = await runStream({
          client,
          upstream: chat,
          chunks: [toBytes(chat, frames)],
          guardrails: [guardrail],
          config,
        });
        expect(toReadable(result.frames).filter((text) => text.includes(word) || text.includes('ium'))).toEqual([]);
        expect(result.trail.at(-1)).not.toMatchObject({ result: 'passed' });
      }
    },
  );

  it('reaches no client in the input of a tool that the provider runs, even in pieces', async () => {
    const frames = [
      event('message_start', {
        message: { id: 'a', model: 'm', content: [], usage: { input_tokens: 1, output_tokens: 1 } },
      }),
      event('content_block_start', {
        index: 0,
        content_block: { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      }),
      ...['{"query":"plu', 'ton', 'ium"}'].map((partial_json) =>
        event('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json } }),
      ),
      event('content_block_stop', { index: 0 }),
      event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }),
      event('message_stop', {}),
    ];
    const result = await run(messages, frames);
    expect(result.status).toBe(446);
    expect(result.bytes.toString()).not.toMatch(/ton|ium/);
  });

  it('has its log probabilities withheld too', async () => {
    const logprobs = (token: string): object => ({ content: [{ token, logprob: -1, bytes: null, top_logprobs: [] }] });
    const frames = [
      ...['It is ', 'plu', 'ton', 'ium'].map((text) =>
        chunk({ index: 0, delta: { content: text }, logprobs: logprobs(text), finish_reason: null }),
      ),
      chunk({ index: 0, delta: {}, finish_reason: 'stop' }),
      done,
    ];
    const result = await run(chat, frames);
    expect(result.bytes.toString()).not.toMatch(/ton|ium/);
  });
});
