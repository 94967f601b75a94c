import { describe, expect, it } from 'vitest';
import {
  type AnswerEnding,
  OneAnswerEncoder,
} from '../../../../../plugins/dialects/shared/answer/one-answer-encoder.ts';
import type { AnswerEvent } from '../../../../../schema/conversation/answer.ts';

const written = (
  events: readonly AnswerEvent[],
): { readonly frames: readonly string[]; readonly ending?: AnswerEnding } => {
  let ending: AnswerEnding | undefined;
  const encoder = new OneAnswerEncoder({
    start: ({ id }) => [{ data: `start ${id}` }],
    block: ({ kind }) => [{ data: kind }],
    end: (last) => {
      ending = last;
      return [{ data: 'end' }];
    },
    wireError: ({ message }) => [{ data: 'error' }, { data: message }],
    error: ({ code }) => [{ data: 'error' }, { data: code }],
  });
  const frames = [...events.flatMap((event) => encoder.push(event)), ...encoder.end()].map(({ data }) => data);
  return { frames, ...(ending === undefined ? {} : { ending }) };
};

const text: AnswerEvent = { kind: 'text', choice: 0, block: 0, text: 'Hi' };
const finish: AnswerEvent = { kind: 'finish', choice: 0, finish: { reason: 'stop' } };

describe('a stream with one answer', () => {
  it('starts before its first block, and ends with usage that was reported before the start', () => {
    const { frames, ending } = written([{ kind: 'usage', usage: { input: 3, output: 2 } }, text, finish]);
    expect(frames).toEqual(['start ', 'text', 'end']);
    expect(ending?.usage).toEqual({ input: 3, output: 2 });
  });

  it('has only the first choice', () => {
    expect(written([{ ...text, choice: 1 }, text, finish]).frames).toEqual(['start ', 'text', 'end']);
  });

  it('is cut off if it ends without a finish reason', () => {
    expect(written([text]).frames).toEqual(['start ', 'text', 'error', 'stream-cut']);
  });

  it('has nothing after an error, which may consist of several frames', () => {
    const error: AnswerEvent = { kind: 'error', error: { message: 'overloaded' } };
    expect(written([text, error, text, finish]).frames).toEqual(['start ', 'text', 'error', 'overloaded']);
  });
});
