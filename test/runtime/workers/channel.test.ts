import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { type Answering, Channel, type Frame } from '../../../runtime/workers/channel.ts';

interface Calls {
  double(argument: number): number;
  note(argument: string): void;
}

const connect = () => {
  const clock = createVirtualClock();
  const batches: (readonly Frame[])[] = [];
  const noted: string[] = [];
  const ends: Channel<Calls, Calls>[] = [];
  const open = (to: number): Channel<Calls, Calls> =>
    new Channel({
      clock,
      send: (frames, sent) => {
        batches.push(frames);
        ends[to]?.receive(structuredClone(frames));
        sent();
      },
    });
  ends.push(open(1), open(0));
  const [near, far] = ends as [Channel<Calls, Calls>, Channel<Calls, Calls>];
  const calls: Answering<Calls> = {
    double: async (value) => {
      if (value < 0) throw new Error('It is below zero.');
      return value * 2;
    },
    note: (text) => void noted.push(text),
  };
  return { clock, batches, noted, near, far, calls };
};

const ms = 1000;

describe('a channel', () => {
  it('sends all calls of one turn together, and answers each call', async () => {
    const { near, far, calls, batches, noted } = connect();
    far.answer(calls);
    near.notify('note', 'first');
    const answers = Promise.all([near.ask('double', 1, ms), near.ask('double', 2, ms)]);
    near.notify('note', 'last');
    expect(await answers).toEqual([2, 4]);
    expect(noted).toEqual(['first', 'last']);
    expect(batches.map((frames) => frames.length)).toEqual([4, 2]);
  });

  it('keeps calls that arrive before there is a handler', async () => {
    const { near, far, calls, noted } = connect();
    near.notify('note', 'early');
    const answer = near.ask('double', 3, ms);
    await near.flushed();
    expect(noted).toEqual([]);
    far.answer(calls);
    expect([await answer, noted]).toEqual([6, ['early']]);
  });

  it('rejects with the error of the other side, and for a call that does not exist', async () => {
    const { near, far, calls } = connect();
    far.answer(calls);
    await expect(near.ask('double', -1, ms)).rejects.toThrow('It is below zero.');
    await expect(near.ask('constructor' as 'double', 1, ms)).rejects.toThrow('There is no call constructor.');
  });

  it('rejects when the time is over, and when the other side ends', async () => {
    const { clock, near } = connect();
    const late = expect(near.ask('double', 1, ms)).rejects.toThrow('1000 ms');
    clock.advance(ms);
    await late;
    const open = expect(near.ask('double', 1, ms)).rejects.toThrow('The other process has ended.');
    near.close();
    await open;
    await expect(near.ask('double', 1, ms)).rejects.toThrow('The other process has ended.');
    await near.flushed();
  });
});
