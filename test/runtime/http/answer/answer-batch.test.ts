import { describe, expect, it } from 'vitest';
import { answerBatch } from '../../../../runtime/http/answer/write-answer.ts';
import type { ServerAnswer } from '../../../../runtime/http/exchange/connection.ts';

const bytes = Buffer.from('{}');

/** Resolves at the end of this turn of the event loop. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('a batch of answers', () => {
  it('skips a client that has disconnected, and closes the connection of an answer that cannot be sent', async () => {
    const [ended, destroyed]: [number[], number[]] = [[], []];
    const answer = (at: number): ServerAnswer => {
      const to: Partial<ServerAnswer> = {
        destroyed: at === 1,
        end: () => {
          if (at === 2) throw new Error('It cannot be sent.');
          ended.push(at);
        },
        destroy: () => destroyed.push(at),
      };
      return to as ServerAnswer;
    };
    const batch = answerBatch();
    for (const at of [0, 1, 2, 3]) batch.add({ to: answer(at), bytes });
    await turn();
    expect(ended).toEqual([0, 3]);
    expect(destroyed).toEqual([2]);
  });
});
