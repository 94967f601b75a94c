import { describe, expect, it } from 'vitest';
import { chat } from '../../../plugins/dialects/chat/chat.ts';
import type { AnswerEdit } from '../../../plugins/sdk/dialect/answer-edit.ts';
import { sse } from '../../../plugins/sdk/framings/sse.ts';
import { createRelay } from '../../../runtime/streams/create-relay.ts';

/** Counts the frames that it receives: the first, and those that have the member `"odd"`. */
const counting: AnswerEdit = {
  marks: ['"odd"'],
  whole: (body) => body,
  stream: () => {
    let count = 0;
    return (data) => {
      count += 1;
      return { ...data, odd: count };
    };
  },
};

const frame = (content: string, more: object = {}, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: finish }], ...more })}\n\n`;

const relay = () => createRelay({ upstream: chat, client: chat, from: sse, to: sse, edits: [counting] });

describe('the edits of a stream between the same dialects', () => {
  it('change the first frame and those with a mark, no matter where chunks end', () => {
    const said = [frame('a'), frame('b', { odd: 0 }), ': alive\n\n', frame('c'), frame('d', { odd: 0 })];
    const sent = [...said, frame('', {}, 'stop'), 'data: [DONE]\n\n'].join('');
    const expected = [
      frame('a', { odd: 1 }),
      frame('b', { odd: 2 }),
      ': alive\n\n',
      frame('c'),
      frame('d', { odd: 3 }),
    ];
    for (let at = 1; at < sent.length; at += 1) {
      const relaying = relay();
      const steps = [sent.slice(0, at), sent.slice(at)].map((chunk) =>
        relaying.push(Buffer.from(chunk)).bytes.toString(),
      );
      expect([...steps, relaying.finish().bytes.toString()].join('')).toBe(
        [...expected, frame('', {}, 'stop'), 'data: [DONE]\n\n'].join(''),
      );
    }
  });

  it('keep bytes without a mark as they are, unread and not copied', () => {
    const relaying = relay();
    relaying.push(Buffer.from(frame('a')));
    const plain = Buffer.from(`${frame('b')}${frame('what is \\"odd\\"?')}`);
    expect(relaying.push(plain).bytes).toBe(plain);
  });

  it('are applied before a translation', () => {
    const renamed: AnswerEdit = {
      marks: ['"words"'],
      whole: (body) => body,
      stream: () => (data) => ({ ...data, choices: [{ index: 0, delta: { content: data.words ?? '' } }] }),
    };
    const relaying = createRelay({
      upstream: chat,
      client: chat,
      translate: {
        decoder: chat.conversation?.streamDecoder({ scope: 's' }) ?? expect.unreachable(),
        encoder:
          chat.conversation?.streamEncoder({ provider: 'p', strict: true, streamUsage: false }) ?? expect.unreachable(),
      },
      edits: [renamed],
    });
    const words = frame('', { words: 'hello' });
    expect(relaying.push(Buffer.from(words)).bytes.toString()).toContain('"content":"hello"');
  });
});
