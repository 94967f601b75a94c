import { describe, expect, it } from 'vitest';
import { TurnBatch } from '../../../runtime/async/turn-batch.ts';

/** Resolves at the end of this turn of the event loop. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

const noted = () => {
  const sent: number[] = [];
  return { sent, batch: new TurnBatch<number>((item) => sent.push(item)) };
};

describe('a batch of a turn of the event loop', () => {
  it('is sent at the end of the turn, in order', async () => {
    const { sent, batch } = noted();
    for (const at of [1, 2, 3]) batch.add(at);
    expect(sent).toEqual([]);
    await turn();
    expect(sent).toEqual([1, 2, 3]);
    batch.add(4);
    await turn();
    expect(sent).toEqual([1, 2, 3, 4]);
  });

  it('lets fewer than sixteen items wait, however long the turn is', async () => {
    const { sent, batch } = noted();
    for (let at = 0; at < 40; at += 1) {
      batch.add(at);
      expect(at + 1 - sent.length).toBeLessThan(16);
    }
    await turn();
    expect(sent).toEqual(Array.from({ length: 40 }, (_, at) => at));
  });

  it('sends what is added while it is being sent', async () => {
    const sent: number[] = [];
    const batch = new TurnBatch<number>((item) => {
      sent.push(item);
      if (item < 3) batch.add(item + 1);
    });
    batch.add(1);
    await turn();
    await turn();
    await turn();
    expect(sent).toEqual([1, 2, 3]);
  });
});
