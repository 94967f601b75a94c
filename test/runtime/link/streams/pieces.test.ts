import { describe, expect, it } from 'vitest';
import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import { gemini } from '../../../../plugins/dialects/gemini/gemini.ts';
import { messages } from '../../../../plugins/dialects/messages/messages.ts';
import type { Dialect, Frame } from '../../../../plugins/sdk/dialect.ts';
import { bytesOf, never, neverInWindows, runStream, type StreamedResult } from './kit.ts';

const word = 'plutonium';
const modes = [neverInWindows(word), never(word)];
/** Longer than what windows hold back, so that the stream has begun when the word comes. */
const before = 'It is water, as far as anybody knows who was there. ';

const event = (type: string, more: object): Frame => ({ event: type, data: JSON.stringify({ type, ...more }) });

const run = (dialect: Dialect, frames: readonly Frame[], guardrail = neverInWindows(word)): Promise<StreamedResult> =>
  runStream({
    client: dialect,
    upstream: dialect,
    chunks: frames.map((frame) => bytesOf(dialect, [frame])),
    guardrails: [guardrail],
    config: { output_guardrails: [{ 'test.never': {}, deny: true }] },
  });

const withhold = async (dialect: Dialect, frames: (text: string) => readonly Frame[]): Promise<void> => {
  for (const guardrail of modes) {
    const { bytes, trail } = await run(dialect, frames(word), guardrail);
    expect(bytes.toString()).not.toMatch(/ton|ium/);
    expect(trail.findLast(({ kind }) => kind === 'checked')).toMatchObject({ result: 'denied' });
    const harmless = await run(dialect, frames('pluto'), guardrail);
    expect(harmless.bytes.toString()).toBe(bytesOf(dialect, frames('pluto')).toString());
  }
};

const pieces = (text: string): readonly string[] => [text.slice(0, 3), text.slice(3, 6), text.slice(6)];

const usage = { input_tokens: 1, output_tokens: 1 };

/** A message with a text before some blocks. */
const message = (blocks: readonly Frame[]): readonly Frame[] => [
  event('message_start', { message: { id: 'a', model: 'm', content: [], usage } }),
  event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: before } }),
  event('content_block_stop', { index: 0 }),
  ...blocks,
  event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }),
  event('message_stop', {}),
];

const block = (index: number, content: object, deltas: readonly object[]): readonly Frame[] => [
  event('content_block_start', { index, content_block: content }),
  ...deltas.map((delta) => event('content_block_delta', { index, delta })),
  event('content_block_stop', { index }),
];

describe('a block of which deltas continue a text', () => {
  it('is judged: a summary of the conversation', () =>
    withhold(messages, (text) =>
      message(
        block(
          1,
          { type: 'compaction', content: null },
          pieces(text).map((piece) => ({ type: 'compaction_delta', content: piece })),
        ),
      ),
    ));
});

describe('a text of a block that has not begun, or has stopped', () => {
  it.each([0, 7])('is judged as any other: block %i', (index) =>
    withhold(messages, (text) =>
      message(
        pieces(text).map((piece) =>
          event('content_block_delta', { index, delta: { type: 'text_delta', text: piece } }),
        ),
      ),
    ),
  );
});

describe('the words with which a stream says why it has ended', () => {
  it('are judged, and wait for the verdict', () =>
    withhold(gemini, (text) => [
      { data: JSON.stringify({ candidates: [{ index: 0, content: { role: 'model', parts: [{ text: before }] } }] }) },
      {
        data: JSON.stringify({
          candidates: [
            { index: 0, finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: `Malformed: send(${text})` },
          ],
          usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
        }),
      },
    ]));
});

const chunk = (delta: object, finish: string | null = null): Frame => ({
  data: JSON.stringify({ id: 'a', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] }),
});
const call = (args: unknown): object => ({
  tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: args } }],
});

describe('what a chunk of chat says in another form than a text', () => {
  it.each<readonly [string, (text: string) => object]>([
    ['arguments as an object', (text) => call({ of: text })],
    ['a part of the content', (text) => ({ content: { type: 'text', text } })],
    ['a list of texts', (text) => ({ content: [text] })],
  ])('is judged: %s', (_form, delta) =>
    withhold(chat, (text) => [chunk({ content: before }), chunk(delta(text)), chunk({}, 'stop'), { data: '[DONE]' }]),
  );
});
