import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chat } from '../../../plugins/dialects/chat/chat.ts';
import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import { SameDialectRelay } from '../../../runtime/streams/same-dialect-relay.ts';

const { errorMark: _, ...classifying } = chat;

const toChunk = (delta: object, rest: object = {}): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }], ...rest })}\n\n`;

const said = toChunk({ content: 'a word' });
const finished = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`;
const usage = `data: ${JSON.stringify({ choices: [], usage: { total_tokens: 3 } })}\n\n`;
const goesOn = `data: ${JSON.stringify({ choices: [{ index: 1, delta: { content: 'more' }, finish_reason: null }] })}\n\n`;
const goesOnInError = goesOn.replace('more', 'an error');
const failed = `data: ${JSON.stringify({ error: { message: 'overloaded' } })}\n\n`;
const done = 'data: [DONE]\n\n';
const comment = ': keep-alive\n\n';

interface Outcome {
  readonly text: string;
  readonly end: 'whole' | 'cut' | 'error';
  readonly isClosed: boolean;
}

/** Returns the outcome of a stream that arrives in these chunks and then ends cleanly. */
const relay = (upstream: Dialect, chunks: readonly string[]): Outcome => {
  const relaying = new SameDialectRelay({ dialect: upstream });
  let text = '';
  for (const chunk of chunks) {
    const { bytes, broken } = relaying.push(Buffer.from(chunk));
    text += bytes.toString();
    if (broken?.kind === 'error') return { text: text + broken.bytes.toString(), end: 'error', isClosed: false };
  }
  const { isClosed } = relaying;
  const { bytes, broken } = relaying.finish();
  return { text: text + bytes.toString(), end: broken === undefined ? 'whole' : 'cut', isClosed };
};

describe('a stream in the dialect of its client', () => {
  it('is the same whether or not its chunks are parsed once the answer has begun', () => {
    const piece = fc.constantFrom(said, said, said, comment, failed, toChunk({ content: 'an error' }));
    const ending = fc.constantFrom(
      [finished, goesOn],
      [finished, goesOnInError, usage],
      [finished, goesOnInError, finished],
      [done, goesOnInError],
      [],
      [finished],
      [done],
      [finished, usage],
      [finished, usage, done],
      [usage, done],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), ending, fc.array(fc.boolean()), (pieces, end, joined) => {
        const chunks: string[] = [];
        for (const [at, frame] of [said, ...pieces, ...end].entries())
          if (joined[at] === true && chunks.length > 0) chunks[chunks.length - 1] += frame;
          else chunks.push(frame);
        expect(relay(chat, chunks)).toEqual(relay(classifying, chunks));
      }),
    );
  });

  it('forwards a chunk of complete frames as received', () => {
    const relaying = new SameDialectRelay({ dialect: chat });
    relaying.push(Buffer.from(said));
    const chunk = Buffer.from(said + said);
    expect(relaying.push(chunk).bytes).toBe(chunk);
  });

  it.each([
    ['a reported error', [said, said, failed], 'error'],
    ['an error after content in the same chunk', [said, said + failed], 'error'],
    ['an end without the last frame', [said, said, said], 'cut'],
    ['a finish reason and comments', [said, finished, comment, comment, comment], 'whole'],
    ['a finish reason and usage', [said, finished, usage], 'whole'],
    ['a large last chunk', [said, said.repeat(100) + finished + usage], 'whole'],
    ['a large last chunk without an end', [said, said.repeat(100)], 'cut'],
    ['a last frame without an empty line', [said, said, done.trimEnd()], 'whole'],
    ['a choice that continues after another has finished', [said, finished, goesOn], 'cut'],
    ['a choice that continues in the same chunk', [said, finished + goesOn], 'cut'],
    ['a choice that continues in a chunk that is parsed', [said, finished, goesOnInError], 'cut'],
    ['a choice that continues in a chunk that is not parsed', [said, comment + finished, goesOn], 'cut'],
    ['choices that finish one after another', [said, finished, goesOn, finished], 'whole'],
    ['content after the very last frame', [said, done, goesOn, goesOnInError], 'whole'],
  ])('is judged by its end: %s', (_, chunks, end) => {
    expect(relay(chat, chunks).end).toBe(end);
  });

  it('omits a frame that was cut off after the end of its answer', () => {
    const { text, end } = relay(chat, [said, finished, usage.slice(0, 20)]);
    expect({ text, end }).toEqual({ text: said + finished, end: 'whole' });
  });
});
