import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import type { Listens, WorkerSetup } from '../../../runtime/workers/calls.ts';
import { WorkerProcess, type WorkerProcessOptions } from '../../../runtime/workers/owner-process/worker-process.ts';

const listens: Listens = { plans: [], sample: undefined, outcome: '', generation: 1 };
const seat: WorkerSetup = { worker: 1, workers: 2, placeholderKey: '', circuits: [], items: [] };
const calls = (() => ({})) as unknown as WorkerProcessOptions['calls'];

/** Starts a worker whose process the test controls. */
const startOne = () => {
  const clock = createVirtualClock();
  const child = Object.assign(new EventEmitter(), {
    pid: 1,
    send: () => true,
    kill: (signal: string) => child.emit('close', null, signal),
  });
  const worker = new WorkerProcess({ child: child as unknown as ChildProcess, clock, seat, handle: {}, calls });
  return { clock, child, worker };
};

describe('a worker that starts', () => {
  it('is killed if it does not listen within a minute, and reports that as the reason', async () => {
    const { clock, worker } = startOne();
    const failed = expect(worker.listens).rejects.toThrow(
      'A worker cannot start: it did not listen within 60 seconds.',
    );
    await clock.advance(60_000);
    expect(worker.state).toBe('ended');
    await failed;
    expect(await worker.ended).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('is not killed once it listens', async () => {
    const { clock, child, worker } = startOne();
    child.emit('message', [{ call: 'listens', argument: listens }]);
    await clock.advance(3_600_000);
    expect(worker.state).toBe('serving');
  });

  it('reports why its process cannot be started', async () => {
    // Node gives such a process neither an id nor a channel.
    const child = new EventEmitter();
    const clock = createVirtualClock();
    const worker = new WorkerProcess({ child: child as ChildProcess, clock, seat, handle: {}, calls });
    child.emit('error', Object.assign(new Error('spawn node EMFILE'), { code: 'EMFILE' }));
    await expect(worker.listens).rejects.toThrow('A worker cannot start: too many files are open.');
    expect(await worker.ended).toEqual({ code: 1, signal: null });
  });
});
