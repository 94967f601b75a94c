import { orCancelled } from '../../../../../sdk/time/or-cancelled.ts';
import { type JobOutcome, outlastStore, type RunningJob } from '../../../../kernel/jobs/job-queue.ts';
import type { BatchPartRow } from '../../../../kernel/store/tables/tables.ts';
import type { BatchJobParts } from '../records/batch-job-parts.ts';
import { addTally, type PartResult, setPartResult } from '../records/batch-store.ts';
import type { BatchName } from '../records/job-names.ts';
import { addUsed, nothingUsed } from '../records/used.ts';
import { leaveLane } from './leave-lane.ts';
import type { RanPart } from './run-part.ts';

export interface PartToKeep {
  readonly job: RunningJob;
  readonly name: BatchName;
  readonly part: BatchPartRow;
  readonly ran: RanPart;
  readonly outcome: JobOutcome;
}

async function* toBytes(texts: readonly string[]): AsyncGenerator<Buffer, void> {
  for (const text of texts) yield Buffer.from(text);
}

/**
 * Keeps the results of a part: sealed bytes, and once, if nobody else has taken the job over, what they came to. What its
 * lines used is in the ledger before, so that a process that is killed has no result without it.
 */
export const keepPart = async (parts: BatchJobParts, { job, name, part, ran, outcome }: PartToKeep): Promise<void> => {
  const { blobs, usageKept } = parts;
  const results = ran.lines.map(({ result }) => result);
  const [succeeded, failed] = [true, false].map((wanted) =>
    results.filter(({ isSuccess }) => isSuccess === wanted).map(({ text }) => text),
  ) as [string[], string[]];
  const errorsFrom = succeeded.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const tally = {
    ...ran.lines.reduce((sum, { usage }) => addUsed(sum, usage), nothingUsed),
    ...{ completed: succeeded.length, failed: failed.length },
  };

  const keep = async (): Promise<void> => {
    const blob = await blobs.write({ tenant: name.tenant, isProvisional: true }, toBytes([...succeeded, ...failed]));
    const result: PartResult = { blob, errorsFrom };
    const committed = await job.commit(async (writing) => {
      await blobs.keep(writing, blob);
      await setPartResult(writing, part, result);
      await addTally(writing, name.id, tally);
      const ending = ran.stop === 'revoked' || ran.stop === 'expired' ? ran.stop : undefined;
      if (outcome.kind === 'done') await leaveLane(parts, writing, { name, ending });
    }, outcome);
    if (committed === 'fenced') await blobs.remove(blob);
  };

  await orCancelled(usageKept(), job.cancellation);
  await outlastStore(job, keep);
};
