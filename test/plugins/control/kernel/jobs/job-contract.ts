import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { StoredJobQueue } from '../../../../../plugins/control/kernel/jobs/create-job-queue.ts';
import type { JobOutcome, RunningJob } from '../../../../../plugins/control/kernel/jobs/job-queue.ts';
import { newId } from '../../../../../plugins/control/kernel/store/new-id.ts';
import type { Store } from '../../../../../plugins/control/kernel/store/store.ts';
import type { RunningGateway } from '../../../../../plugins/sdk/plugin/plugin.ts';
import { hourMs } from '../../../../../schema/durations.ts';
import { lawRuns } from '../../../../support/run/law-runs.ts';
import { jumpingClock } from '../../support/jumping-clock.ts';

const leaseMs = 15_000;
const start = 1_700_000_000_000;

const gateway: RunningGateway = {
  dispatch: () => () => Promise.reject(new Error('These jobs send no requests.')),
};

/** Creates an organisation with a workspace, and returns the id of the workspace. */
const workspaceIn = async (store: Store): Promise<string> => {
  const id = newId(Date.now());
  const common = { settings: '{}', name: 'jobs', created_at: 1, updated_at: 1 };
  await store.write(async (writing) => {
    await writing
      .insertInto('organisations')
      .values({ id, ...common })
      .execute();
    await writing
      .insertInto('workspaces')
      .values({ ...common, id, organisation_id: id, slug: 'jobs', limits: null })
      .execute();
  });
  return id;
};

const done: JobOutcome = { kind: 'done' };

interface Begun {
  readonly by: number;
  readonly job: RunningJob;
  end(outcome: JobOutcome | Error): void;
}

/** Creates processes that each have a queue on the same store. Their jobs end when the test ends them. */
const processes = async (store: Store, count: number) => {
  const tenant = await workspaceIn(store);
  const kind = `kind-${tenant}`;
  const begun: Begun[] = [];
  const messages: string[] = [];
  const probeKind = `probe-${tenant}`;
  const probed: string[] = [];
  const queues = Array.from({ length: count }, (_, by) => {
    const clock = jumpingClock(start);
    const queue = new StoredJobQueue({ store, clock, say: (text) => void messages.push(text), leaseMs });
    queue.register({
      name: kind,
      concurrency: 8,
      queue: { maxQueued: 20, what: 'jobs of this test' },
      run: (job) =>
        new Promise((resolve, reject) => {
          begun.push({
            by,
            job,
            end: (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)),
          });
        }),
    });
    queue.register({
      name: probeKind,
      concurrency: 8,
      run: async ({ id }) => {
        probed.push(id);
        return done;
      },
    });
    return { queue, clock };
  });
  const close = async (): Promise<void> => {
    const closed = queues.map(({ queue }) => queue.close());
    for (const { end } of begun) end({ kind: 'done' });
    await Promise.all(closed);
  };
  return {
    tenant,
    begun,
    messages,
    queues,
    close,
    add: (id: string, runAt?: number, of = tenant) =>
      store.write(
        (writing) =>
          queues[0]?.queue.add(writing, {
            ...{ kind, id, tenant: of, payload: { id } },
            ...(runAt === undefined ? {} : { runAt }),
          }) ?? Promise.resolve(),
      ),
    /** Waits until the first process has taken every job that it may run now: a job of another kind, added last, has run. */
    looked: async () => {
      const id = `probe-${probed.length}`;
      const job = { kind: probeKind, id, tenant, payload: {} };
      await store.write((writing) => queues[0]?.queue.add(writing, job) ?? Promise.resolve());
      queues[0]?.queue.wake();
      await expect.poll(() => probed).toContain(id);
    },
    left: async () => {
      const rows = await store.db.selectFrom('jobs').selectAll().where('kind', '=', kind).orderBy('id').execute();
      return rows;
    },
  };
};

/** Records that a job is done. A second record of the same job violates a unique key. */
const commitDone = (job: RunningJob): Promise<'committed' | 'fenced'> =>
  job.commit(
    async (writing) => {
      await writing
        .insertInto('settings')
        .values({ name: `${job.tenant}-${job.id}`, value: 'done' })
        .execute();
    },
    { kind: 'done' },
  );

/** Defines the tests of job queues on a store. Call it inside a `describe`. */
export const testJobs = (open: () => Promise<Store>): void => {
  const world = async (count: number) => {
    const store = await open();
    const made = await processes(store, count);
    onTestFinished(async () => {
      await made.close();
      await store.close();
    });
    for (const { queue } of made.queues) queue.start(gateway);
    return { store, ...made };
  };

  it('runs a job when it is due, and again at the time that its outcome requests', async () => {
    const { queues, begun, add, left } = await world(1);
    await add('later', start + 5000);
    await add('now');
    queues[0]?.queue.wake();
    await expect.poll(() => begun.map(({ job }) => job.id)).toEqual(['now']);
    begun[0]?.end({ kind: 'again', runAt: start + 1000, payload: { next: 1 } });
    await expect.poll(async () => (await left()).map(({ due_at }) => due_at)).toEqual([start + 5000, start + 1000]);
    queues[0]?.clock.advance(6000);
    await expect.poll(() => begun.map(({ job }) => job.payload)).toEqual([{ id: 'now' }, { next: 1 }, { id: 'later' }]);
    for (const { end } of begun) end(done);
    await expect.poll(left).toEqual([]);
  });

  it('runs no more jobs of one tenant at once than its share of the concurrency', async () => {
    const { begun, add, looked } = await world(1);
    for (const id of ['1', '2', '3']) await add(id);
    await looked();
    expect(begun).toHaveLength(2);
    begun[0]?.end(done);
    await expect.poll(() => begun.length).toBe(3);
  });

  it('runs no more jobs of one kind at once than the concurrency of the kind', async () => {
    const { store, begun, add, looked } = await world(1);
    for (let count = 0; count < 5; count += 1) {
      const of = await workspaceIn(store);
      for (const id of ['1', '2']) await add(`${count}-${id}`, undefined, of);
    }
    await looked();
    expect(begun).toHaveLength(8);
    begun[0]?.end(done);
    await expect.poll(() => begun.length).toBe(9);
    await looked();
    expect(begun).toHaveLength(9);
  });

  it('starts a job of a fourth tenant while the jobs of three others, each limited to a quarter, hang', async () => {
    const { store, tenant, queues, begun, add } = await world(1);
    const others = [await workspaceIn(store), await workspaceIn(store)];
    for (const of of [tenant, ...others])
      for (let number = 0; number < 20; number += 1) await add(`${of}/${number}`, undefined, of);
    queues[0]?.queue.wake();
    await expect.poll(() => begun.length).toBe(6);
    const fourth = await workspaceIn(store);
    await add('fourth', undefined, fourth);
    queues[0]?.queue.wake();
    await expect
      .poll(() => begun.map(({ job }) => job.tenant).sort())
      .toEqual([tenant, tenant, ...others, ...others, fourth].sort());
  });

  it('gives free places to tenants in turn, and within a tenant to the job that has been due longest', async () => {
    const { store, queues, begun, add } = await world(1);
    const tenants: string[] = [];
    for (let count = 0; count < 5; count += 1) tenants.push(await workspaceIn(store));
    for (const [at, of] of tenants.entries())
      for (let number = 0; number < 6; number += 1) await add(`${at}-${number}`, start + 1000 + 10 * at + number, of);
    queues[0]?.clock.advance(2000);
    for (let ended = 0; ended < 15; ended += 1) {
      await expect.poll(() => begun.length).toBe(8 + ended);
      begun[ended]?.end(done);
    }
    await expect.poll(() => begun.length).toBe(23);
    const order = begun.map(({ job: { id } }) => id.split('-').map(Number));
    for (const [at] of tenants.entries()) {
      const numbers = order.filter(([of]) => of === at).map(([, number]) => number);
      expect(numbers).toEqual(numbers.map((_, number) => number));
    }
    // The first eight start together, also in turn.
    const later = order.slice(8).map(([of]) => of);
    for (let from = 0; from < later.length; from += 5) expect(new Set(later.slice(from, from + 5)).size).toBe(5);
  });

  it('refuses further jobs of a tenant that has the maximum number waiting, and of no other tenant', async () => {
    const { store, queues, begun, add } = await world(1);
    for (const id of ['begun', 'too']) await add(id);
    queues[0]?.queue.wake();
    await expect.poll(() => begun.length).toBe(2);
    for (let number = 0; number < 20; number += 1) await add(String(number));
    const refusal = { report: { code: 'queue-full', status: 429, headers: ['retry-after', '5'] } };
    await expect(add('20')).rejects.toMatchObject(refusal);
    await add('20', undefined, await workspaceIn(store));
    begun[0]?.end(done);
    await expect.poll(() => begun.length).toBe(4);
    await add('21');
    await expect(add('22')).rejects.toMatchObject(refusal);
  });

  it('takes over the job of a process that is gone, whose later commits write nothing', async () => {
    const { store, queues, begun, add, left } = await world(2);
    await add('1');
    queues[0]?.queue.wake();
    await expect.poll(() => begun.length).toBe(1);
    const [lost] = begun;
    queues[1 - (lost?.by ?? 0)]?.clock.advance(leaseMs);
    await expect.poll(() => begun.length).toBe(2);
    const [, taken] = begun;
    expect(lost && (await commitDone(lost.job))).toBe('fenced');
    expect(taken && (await commitDone(taken.job))).toBe('committed');
    expect([await left(), (lost?.by ?? 0) + (taken?.by ?? 0)]).toEqual([[], 1]);
    const name = `${taken?.job.tenant}-1`;
    expect(await store.db.selectFrom('settings').select('value').where('name', '=', name).execute()).toHaveLength(1);
  });

  it('leaves a job with its process while that process renews it, and cancels it if its row is deleted', async () => {
    const { store, queues, begun, add, left } = await world(2);
    await add('1');
    queues[0]?.queue.wake();
    await expect.poll(() => begun.length).toBe(1);
    for (let times = 0; times < 4; times += 1) {
      const [before] = await left();
      for (const { clock } of queues) clock.advance(leaseMs / 3);
      await expect.poll(async () => (await left())[0]?.due_at).toBe((before?.due_at ?? 0) + leaseMs / 3);
    }
    expect(begun).toHaveLength(1);
    await store.write((writing) => writing.deleteFrom('jobs').where('id', '=', '1').execute());
    await expect
      .poll(() => {
        for (const { clock } of queues) clock.advance(leaseMs / 3);
        return begun[0]?.job.cancellation.cancelled;
      })
      .toBe(true);
  });

  it('schedules a failed job again after a pause, and reports the failure', async () => {
    const { queues, begun, messages, add, left } = await world(1);
    await add('1');
    queues[0]?.queue.wake();
    await expect.poll(() => begun.length).toBe(1);
    begun[0]?.end(new Error('The disk is full.'));
    await expect.poll(async () => (await left())[0]).toMatchObject({ failures: 1, due_at: start + 1000 });
    expect(messages.join('')).toMatch(/^gw: The job kind-\S+ 1 failed, and runs again in 1 s: The disk is full\.\n$/);
  });

  it('runs jobs that wait when the clock is set back, as if it had not been', async () => {
    const { queues, begun, add, looked } = await world(1);
    for (const id of ['1', '2', '3']) await add(id);
    await looked();
    queues[0]?.clock.setWall(start - hourMs);
    for (const at of [0, 1]) begun[at]?.end(done);
    const afterLooking = async () => {
      await looked();
      return begun.map(({ job }) => job.id);
    };
    await expect.poll(afterLooking).toEqual(['1', '2', '3']);
  });

  it('runs jobs at its start whose times were set by a clock that was ahead', async () => {
    const store = await open();
    const { queues, begun, add, close } = await processes(store, 1);
    onTestFinished(async () => {
      await close();
      await store.close();
    });
    await add('1', start + hourMs);
    queues[0]?.queue.start(gateway);
    await expect.poll(() => begun.map(({ job }) => job.id)).toEqual(['1']);
  });

  it('does not run a job twice when the clock is set forward', async () => {
    const { queues, begun, add, looked } = await world(1);
    await add('1');
    await looked();
    queues[0]?.clock.setWall(start + hourMs);
    await looked();
    expect(begun).toHaveLength(1);
    expect(begun[0]?.job.cancellation.cancelled).toBe(false);
    expect(begun[0] && (await commitDone(begun[0].job))).toBe('committed');
  });

  it('does not run a job twice when the clock is set forward again while it renews its lease', async () => {
    const store = await open();
    let afterWrite = () => {};
    const write: Store['write'] = async (work) => {
      const result = await store.write(work);
      afterWrite();
      return result;
    };
    const { queues, begun, add, looked, close } = await processes(Object.assign(Object.create(store), { write }), 1);
    onTestFinished(async () => {
      await close();
      await store.close();
    });
    const [first] = queues;
    first?.queue.start(gateway);
    await add('1');
    await looked();
    first?.clock.setWall(start + hourMs);
    afterWrite = () => first?.clock.setWall(start + 2 * hourMs);
    first?.queue.wake();
    await looked();
    expect(begun).toHaveLength(1);
  });

  it('leaves its running jobs to other processes when it is closed', async () => {
    const { queues, begun, add } = await world(2);
    await add('1');
    queues[0]?.queue.wake();
    await expect.poll(() => begun.length).toBe(1);
    begun[0]?.job.cancellation.onCancel(() => begun[0]?.end(new Error('It was cancelled.')));
    const by = begun[0]?.by ?? 0;
    await queues[by]?.queue.close();
    queues[1 - by]?.queue.wake();
    await expect.poll(() => begun.map((each) => each.by)).toEqual([by, 1 - by]);
  });

  it('commits each job exactly once, whichever processes stop responding', async () => {
    const store = await open();
    onTestFinished(() => store.close());
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ do: fc.constant('wake' as const), at: fc.nat(1) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('time passes' as const), at: fc.nat(1) }) },
      {
        weight: 5,
        arbitrary: fc.record({ do: fc.constantFrom('commit' as const, 'fail' as const), at: fc.nat(9) }),
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 12 }), async (jobs, steps) => {
        const { queues, begun, add, left, close, tenant } = await processes(store, 2);
        const answers: string[] = [];
        const commit = async ({ job, end }: Begun): Promise<void> => {
          answers.push(`${job.id} ${await commitDone(job)}`);
          end(done);
        };
        for (let id = 0; id < jobs; id += 1) await add(String(id));
        for (const { queue } of queues) queue.start(gateway);
        for (const each of steps) {
          const some = begun[each.at % Math.max(begun.length, 1)];
          if (each.do === 'wake') queues[each.at]?.queue.wake();
          // The clock of one process only: the other process is suspended, and resumes from where it was.
          else if (each.do === 'time passes') queues[each.at]?.clock.advance(leaseMs);
          else if (each.do === 'commit' && some !== undefined) await commit(some);
          else some?.end(new Error('no'));
        }
        await expect
          .poll(async () => {
            for (const { clock, queue } of queues) {
              clock.advance(leaseMs);
              queue.wake();
            }
            for (const each of begun.splice(0)) await commit(each);
            return (await left()).length;
          })
          .toBe(0);
        await close();
        const committed = answers.filter((answer) => answer.endsWith('committed')).sort();
        expect(committed).toEqual(Array.from({ length: jobs }, (_, id) => `${id} committed`));
        const kept = store.db.selectFrom('settings').select('name').where('name', 'like', `${tenant}-%`);
        expect(await kept.execute()).toHaveLength(jobs);
      }),
      { numRuns: Math.ceil(lawRuns.numRuns / 60) },
    );
  });
};
