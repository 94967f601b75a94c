import { describe, expect, it } from 'vitest';
import type { Listens } from '../../../runtime/workers/calls.ts';
import type { WorkerEnd, WorkerProcess } from '../../../runtime/workers/owner-process/worker-process.ts';
import { Workers } from '../../../runtime/workers/owner-process/workers.ts';
import { testClock } from '../server/support/start-server.ts';

const listens: Listens = { plans: [], sample: undefined, outcome: '', generation: 1 };

/** Creates a worker that listens at once, and ends when the test or its owner ends it. */
const fakeWorker = (id: number) => {
  const ended = Promise.withResolvers<WorkerEnd>();
  const worker = {
    ...{ id, pid: id, state: 'serving', isMeantToEnd: false, listens: Promise.resolve(listens), ended: ended.promise },
    retire: () => {
      worker.isMeantToEnd = true;
    },
    end: (end: WorkerEnd) => {
      worker.state = 'ended';
      ended.resolve(end);
    },
  };
  return worker;
};

const crash: WorkerEnd = { code: null, signal: 'SIGKILL' };
const well: WorkerEnd = { code: 0, signal: null };

/** Starts two workers that serve, and returns all started workers in order. */
const startTwo = async () => {
  const started: ReturnType<typeof fakeWorker>[] = [];
  const workers = new Workers({
    ...{ count: 2, clock: testClock, drainMs: 1000, left: () => {}, failed: () => {}, log: () => {} },
    start: (id) => {
      const worker = fakeWorker(id);
      started.push(worker);
      return worker as unknown as WorkerProcess;
    },
    admit: async (_, __, admitted) => admitted(),
  });
  await workers.start();
  return { workers, started };
};

describe('workers that are replaced one by one', () => {
  it('are as many as before if one that was not replaced yet ends by itself', async () => {
    const { workers, started } = await startTwo();
    const [first, second] = started;
    const replaced = workers.replaceAll();
    await expect.poll(() => first?.isMeantToEnd).toBe(true);
    second?.end(crash);
    await expect.poll(() => workers.serving.length).toBe(3);
    first?.end(well);
    await replaced;
    expect(workers.serving.map(({ id }) => id)).toEqual([3, 4]);
  });

  it('are as many as before if one ends by itself while its replacement starts', async () => {
    const { workers, started } = await startTwo();
    const [first, second] = started;
    const replaced = workers.replaceAll();
    first?.end(crash);
    await expect.poll(() => started.find(({ isMeantToEnd }) => isMeantToEnd)?.id).toBe(3);
    started[2]?.end(well);
    await expect.poll(() => second?.isMeantToEnd).toBe(true);
    second?.end(well);
    await replaced;
    expect(workers.serving.map(({ id }) => id)).toEqual([4, 5]);
  });
});
