import { describe, expect, it } from 'vitest';
import { AnswerBatch } from '../../../../runtime/http/answer/answer-batch.ts';
import type { ServerAnswer } from '../../../../runtime/http/exchange/connection.ts';

const bytes = Buffer.from('{}');

/** The end of this turn of the event loop. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

const answersTo = (ended: number[], { throws = -1, isGone = -1 } = {}) => {
  const destroyed: number[] = [];
  const answer = (at: number): ServerAnswer => {
    const to: Partial<ServerAnswer> = {
      destroyed: at === isGone,
      end: () => {
        if (at === throws) throw new Error('It cannot be sent.');
        ended.push(at);
      },
      destroy: () => destroyed.push(at),
    };
    return to as ServerAnswer;
  };
  return { answer, destroyed };
};

describe('a batch of answers', () => {
  it('is sent at the end of the turn of the event loop, in the order in which they were complete', async () => {
    const ended: number[] = [];
    const { answer } = answersTo(ended);
    const batch = new AnswerBatch();
    for (const at of [1, 2, 3]) batch.end(answer(at), bytes);
    expect(ended).toEqual([]);
    await turn();
    expect(ended).toEqual([1, 2, 3]);
    batch.end(answer(4), bytes);
    await turn();
    expect(ended).toEqual([1, 2, 3, 4]);
  });

  it('has no more than sixteen wait, however long the turn is', async () => {
    const ended: number[] = [];
    const { answer } = answersTo(ended);
    const batch = new AnswerBatch();
    for (let at = 0; at < 40; at += 1) {
      batch.end(answer(at), bytes);
      expect(at + 1 - ended.length).toBeLessThan(16);
    }
    await turn();
    expect(ended).toEqual(Array.from({ length: 40 }, (_, at) => at));
  });

  it('leaves out a client that has gone, and closes the connection of an answer that cannot be sent', async () => {
    const ended: number[] = [];
    const { answer, destroyed } = answersTo(ended, { throws: 2, isGone: 1 });
    const batch = new AnswerBatch();
    for (const at of [0, 1, 2, 3]) batch.end(answer(at), bytes);
    await turn();
    expect(ended).toEqual([0, 3]);
    expect(destroyed).toEqual([2]);
  });
});
