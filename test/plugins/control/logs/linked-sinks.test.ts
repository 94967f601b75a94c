import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createBatchReceiver,
  type HandedRecords,
  linkedSinks,
} from '../../../../plugins/control/logs/sinks/linked-sinks.ts';
import type { RecordsMessage } from '../../../../plugins/control/logs/sinks/messages.ts';
import { createVirtualClock } from '../../../../plugins/testkit/route/virtual-clock.ts';

const batch = (bytes: number): RecordsMessage => ({
  kind: 'records',
  work: new Uint8Array(bytes),
  wanted: Uint32Array.of(1),
});

const megabyte = 1024 * 1024;

describe('the owner of sinks', () => {
  it('holds up to 32 MB that its thread has not queued, counts what it drops beyond that, and has room again', async () => {
    const dropped: (readonly number[])[] = [];
    const queued: (() => void)[] = [];
    const receive = createBatchReceiver({
      take: () => new Promise((resolve) => void queued.push(resolve)),
      addDropped: (counts) => void dropped.push(counts),
    });
    const hand = (counts: readonly number[]) =>
      receive({ batch: { message: batch(16 * megabyte), counts }, dropped: [0] });
    const held = [hand([1]), hand([2])];
    await hand([4]);
    expect(dropped).toEqual([[0], [0], [0], [4]]);
    for (const queue of queued) queue();
    await Promise.all(held);
    void hand([8]);
    expect(queued).toHaveLength(3);
    expect(dropped).not.toContainEqual([8]);
  });
});

describe('the sinks of a worker', () => {
  const open = () => {
    const handed: HandedRecords[] = [];
    const answers: (() => void)[] = [];
    const clock = createVirtualClock();
    const ask = (records: HandedRecords): Promise<void> => {
      handed.push(records);
      return new Promise((resolve) => void answers.push(resolve));
    };
    return { sinks: linkedSinks(ask, { sinks: 2, clock }), handed, answers, clock };
  };

  it('hand over each count of dropped records once, with the next batch or after a second', async () => {
    const { sinks, handed, clock } = open();
    sinks.drop(0b01);
    sinks.drop(0b11);
    void sinks.take(batch(1), [1, 0]);
    await clock.advance(2000);
    expect(handed.map(({ dropped }) => dropped)).toEqual([[2, 1]]);
    sinks.drop(0b10);
    await clock.advance(1000);
    expect(handed.map(({ dropped }) => dropped)).toEqual([
      [2, 1],
      [0, 1],
    ]);
  });

  it('release the memory of a batch when the owner has it or has ended', async () => {
    const { sinks, answers } = open();
    let isBack = false;
    const taken = sinks.take(batch(1), [1, 0]).then(() => {
      isBack = true;
    });
    await Promise.resolve();
    expect(isBack).toBe(false);
    answers[0]?.();
    await taken;
    const gone = linkedSinks(() => Promise.reject(new Error('The other process has ended.')), {
      sinks: 1,
      clock: createVirtualClock(),
    });
    await gone.take(batch(1), [1]);
    await gone.close(0);
  });

  it('wait at most a second for a thread that accepts nothing when they are closed', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { sinks } = open();
    void sinks.take(batch(1), [1, 0]);
    let isClosed = false;
    const closed = sinks.close(30_000).then(() => {
      isClosed = true;
    });
    await vi.advanceTimersByTimeAsync(1000);
    expect(isClosed).toBe(true);
    await closed;
  });
});
