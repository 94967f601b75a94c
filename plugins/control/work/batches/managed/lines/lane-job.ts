import { type JobKind, type JobOutcome, jobDone, type RunningJob } from '../../../../kernel/jobs/job-queue.ts';
import type { BatchPartRow, BatchRow } from '../../../../kernel/store/tables/tables.ts';
import { isLost } from '../check/check-job.ts';
import type { BatchJobParts } from '../records/batch-job-parts.ts';
import { findBatch, findPart } from '../records/batch-store.ts';
import { kinds, toName } from '../records/job-names.ts';
import { keepPart } from './keep-part.ts';
import { leaveLane } from './leave-lane.ts';
import { createLineGates } from './line-gates.ts';
import { runPart } from './run-part.ts';

/**
 * The job that runs some parts of a batch, one each time. Each lane has its own parts, and the lease of the lane is the
 * lease of its part: whoever has it commits the results, once.
 */
export const laneJob = (parts: BatchJobParts): JobKind => {
  const { store, jobs, clock } = parts;
  const gates = createLineGates(clock);

  const leave = async (
    job: RunningJob,
    row: Pick<BatchRow, 'id'> | undefined,
    ending?: 'unreadable',
  ): Promise<JobOutcome> => {
    if (row !== undefined) {
      await job.commit((writing) => leaveLane(parts, writing, { name: toName(job), ending }), jobDone);
      jobs.wake();
    }
    return jobDone;
  };

  /** The job, with the part that is next in its lane. */
  const onward = ({ payload }: RunningJob, { number }: BatchPartRow): JobOutcome => ({
    kind: 'again',
    runAt: clock.wall(),
    payload: { ...payload, part: number + Number(payload.step) },
  });

  return {
    name: kinds.lane,
    concurrency: 32,
    async run(job) {
      const name = toName(job);
      const row = await findBatch(store.db, name);
      const part =
        row?.status === 'in_progress' ? await findPart(store.db, name.id, Number(job.payload.part)) : undefined;
      if (row === undefined || part === undefined) return leave(job, row);
      if (part.result !== null) return onward(job, part);
      try {
        const ran = await gates.using(name.id, (gate) => runPart(parts, { job, name, row, part, gate }));
        // Whoever goes on with it runs these lines again.
        if (ran.stop === 'left') return { kind: 'again', runAt: clock.wall() };
        const isLast = ran.stop !== undefined || part.number + Number(job.payload.step) >= row.parts;
        const outcome = isLast ? jobDone : onward(job, part);
        await keepPart(parts, { job, name, part, ran, outcome });
        jobs.wake();
        return outcome;
      } catch (error) {
        if (isLost(error)) return leave(job, row, 'unreadable');
        throw error;
      }
    },
  };
};
