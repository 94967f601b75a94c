import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { settledOrCancelled } from '../../../../sdk/time/settled-or-cancelled.ts';
import {
  type JobKind,
  type JobOutcome,
  jobDone,
  type RunningJob,
  retryWhileStoreUnavailable,
} from '../../../kernel/jobs/job-queue.ts';
import type { Writing } from '../../../kernel/store/store.ts';
import type { BatchPartRow, BatchRow, UsedColumns } from '../../../kernel/store/tables.ts';
import { isLost, type LineError, unreadable } from '../batch/batch-lines.ts';
import { addUsed, nothingUsed } from '../batch/batch-members.ts';
import {
  addTally,
  type BatchJobParts,
  type BatchName,
  changeBatch,
  findBatch,
  findPart,
  kinds,
  runEndJobNow,
  setPartResult,
  type Tally,
  toName,
} from './batch-store.ts';
import { LineGates } from './concurrency-limiter.ts';
import { type RanPart, runPart } from './run-part.ts';

const revoked: LineError = {
  ...{ code: 'key_revoked', message: 'The creator of the batch may no longer send requests to models.' },
  ...{ param: null, line: null },
};

/** The reasons why a lane ends its whole batch. */
type LaneEnding = 'revoked' | 'expired' | 'unreadable';

const toErrors = (error: LineError): Pick<BatchRow, 'errors'> => ({ errors: JSON.stringify([error]) });

const changes: { readonly [Ending in LaneEnding]: (now: number) => Partial<BatchRow> } = {
  revoked: (now) => ({ status: 'cancelling', ending: 'cancelled', cancelling_at: now, ...toErrors(revoked) }),
  expired: (now) => ({ status: 'finalizing', ending: 'expired', finalizing_at: now }),
  unreadable: (now) => ({ status: 'finalizing', ending: 'failed', finalizing_at: now, ...toErrors(unreadable) }),
};

/** Removes a lane from its batch. When no lane is left, the batch's files are written. */
const leaveLane = async (
  { jobs, clock }: Pick<BatchJobParts, 'jobs' | 'clock'>,
  writing: Writing,
  { name, ending }: { readonly name: BatchName; readonly ending?: LaneEnding | undefined },
): Promise<void> => {
  const { id } = name;
  await writing.updateTable('batches').set({ lanes_left: sql`lanes_left - 1` }).where('id', '=', id).execute();
  const row = await findBatch(writing, name);
  if (row === undefined) return;
  const now = clock.wall();
  if (row.status === 'in_progress' && ending !== undefined) await changeBatch(writing, id, changes[ending](now));
  else if (row.status === 'in_progress' && row.lanes_left === 0)
    await changeBatch(writing, id, { status: 'finalizing', finalizing_at: now });
  if (row.lanes_left === 0 || ending !== undefined) await runEndJobNow(jobs, writing, id);
};

/** Sums up what the lines of a part have used so far. */
const toUsed = ({ lines }: RanPart): UsedColumns => lines.flatMap((line) => line.usages()).reduce(addUsed, nothingUsed);

interface PartToKeep {
  readonly job: RunningJob;
  readonly name: BatchName;
  readonly part: BatchPartRow;
  readonly ran: RanPart;
  readonly outcome: JobOutcome;
}

/**
 * Stores the results of a part: the sealed bytes, and, unless another process has taken the job over, their counts and usage
 * once. The usage is in the ledger first, so that a killed process leaves no result without it.
 */
const keepPart = async (parts: BatchJobParts, { job, name, part, ran, outcome }: PartToKeep): Promise<void> => {
  const { blobs, usageKept } = parts;
  const toBytes = (wanted: boolean): readonly Buffer[] =>
    ran.lines.flatMap(({ result }) => (result.isSuccess === wanted ? [Buffer.from(result.text)] : []));
  const [succeeded, failed] = [toBytes(true), toBytes(false)];
  /** Computed once the ledger has the usage, because an attempt that was replaced by another one may end after the answer. */
  const toTally = (): Tally => ({
    ...toUsed(ran),
    ...{ completed: succeeded.length, failed: failed.length },
  });

  const keep = async (): Promise<void> => {
    const blob = await blobs.write(
      { tenant: name.tenant, isProvisional: true },
      Readable.from([...succeeded, ...failed]),
    );
    const committed = await job.commit(async (writing) => {
      await blobs.keep(writing, blob);
      await setPartResult(writing, part, { blob, errorsFrom: succeeded.reduce((sum, { length }) => sum + length, 0) });
      await addTally(writing, name.id, toTally());
      const ending = ran.stop === 'revoked' || ran.stop === 'expired' ? ran.stop : undefined;
      if (outcome.kind === 'done') await leaveLane(parts, writing, { name, ending });
    }, outcome);
    if (committed === 'fenced') await blobs.remove(blob);
  };

  await settledOrCancelled(usageKept(), job.cancellation);
  await retryWhileStoreUnavailable(job, keep);
};

/**
 * The job that runs the parts of a lane, one each time it runs. Each lane has its own parts, and the lease of the lane is the
 * lease of its part: the process that holds it commits the results, once.
 */
export const laneJob = (parts: BatchJobParts): JobKind => {
  const { store, jobs, clock } = parts;
  const gates = new LineGates(clock);

  const leave = async (job: RunningJob, ending?: LaneEnding): Promise<JobOutcome> => {
    await job.commit((writing) => leaveLane(parts, writing, { name: toName(job), ending }), jobDone);
    jobs.wake();
    return jobDone;
  };

  /** Leaves a part to the process that continues it. It runs all lines again, and what they used here stays charged. */
  const leavePart = async (job: RunningJob, name: BatchName, ran: RanPart): Promise<JobOutcome> => {
    const outcome: JobOutcome = { kind: 'again', runAt: clock.wall() };
    const tally = { ...toUsed(ran), completed: 0, failed: 0 };
    await job.commit((writing) => addTally(writing, name.id, tally), outcome);
    return outcome;
  };

  /** Continues the job with the next part of its lane. */
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
      if (row === undefined) return jobDone;
      const part = await findPart(store.db, name.id, Number(job.payload.part));
      if (row.status !== 'in_progress' || part === undefined) return leave(job);
      if (part.result !== null) return onward(job, part);
      try {
        const ran = await gates.use(name.id, (gate) => runPart(parts, { job, name, row, part, gate }));
        if (ran.stop === 'left') return leavePart(job, name, ran);
        const isLast = ran.stop !== undefined || part.number + Number(job.payload.step) >= row.parts;
        const outcome = isLast ? jobDone : onward(job, part);
        await keepPart(parts, { job, name, part, ran, outcome });
        jobs.wake();
        return outcome;
      } catch (error) {
        if (isLost(error)) return leave(job, 'unreadable');
        throw error;
      }
    },
  };
};
