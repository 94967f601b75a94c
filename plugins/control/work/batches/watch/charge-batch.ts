import { parseObject } from '../../../../../schema/json/parse-json.ts';
import type { Clock } from '../../../../sdk/clock.ts';
import { type JobOutcome, jobDone, type RunningJob } from '../../../kernel/jobs/job-queue.ts';
import type { Writing } from '../../../kernel/store/store.ts';
import type { WatchedBatchRow } from '../../../kernel/store/tables/tables.ts';
import type { LedgerRecord } from '../../../metering/ledger/record/ledger-record.ts';
import { writeRecords } from '../../../metering/ledger/rows/write-records.ts';
import type { OpenLateUses } from '../../../metering/limiter/late-uses.ts';
import type { WorkParts } from '../../accounts/work-parts.ts';
import type { EndedBatch, ProviderCall } from '../batch/executor.ts';
import { changeWatched, toPlace } from '../providers/watched-batches.ts';
import { chargeResults } from './charge-results.ts';
import { createResultFiles } from './result-files.ts';

/** What the job that waits for batches of providers is made of. */
export interface WatchParts extends WorkParts {
  readonly clock: Pick<Clock, 'wall'>;
  readonly lateUses: OpenLateUses;
  /** Lines that are charged in one transaction, which others wait for; 500 if absent. */
  readonly linesAtOnce?: number;
}

export interface BatchToCharge {
  readonly job: RunningJob;
  readonly row: WatchedBatchRow;
  readonly call: ProviderCall;
  readonly ended: EndedBatch;
}

/** The dialects of endpoints, by which policies name these too. */
const endpointDialects: ReadonlyMap<string, string> = new Map([
  ['/v1/chat/completions', 'chat'],
  ['/v1/completions', 'completions'],
  ['/v1/embeddings', 'embeddings'],
]);

/**
 * Reads the results of a batch that has ended, once: keeps those that the provider has in a form of its own as files, and has
 * the ledger and limits charged with what each line used. Lines are written as they come, under ids that are theirs, so that
 * whoever begins again writes none twice; limits are charged with the mark that the batch is charged.
 */
export const chargeBatch = async (parts: WatchParts, { job, row, call, ended }: BatchToCharge): Promise<JobOutcome> => {
  const { store, wholeCatalogue, clock, lateUses, linesAtOnce = 500 } = parts;
  const place = toPlace(call, row.remote_id);
  const endpointType = endpointDialects.get(row.endpoint) ?? '';
  const uses = await lateUses({
    ...{ organisation: row.organisation_id, workspace: row.workspace_id, key: row.key_id ?? undefined },
    sharesLimitsOf: call.context.principal.sharesLimitsOf,
    ...{ metadata: parseObject(row.labels) ?? {}, endpointType, slug: row.slug },
    ...{ provider: call.account.provider, prices: call.account.prices },
  });
  const model = row.model ?? (await ended.model?.()) ?? '';
  const { dialects } = await wholeCatalogue();
  const charged = chargeResults({ place, model, dialect: dialects.get(endpointType), uses });
  const files = createResultFiles({ ...parts, tenant: call.tenant, id: row.remote_id, createdBy: row.key_id });
  const written = (writing: Writing, records: readonly LedgerRecord[]): Promise<void> =>
    writeRecords(writing, records, { kind: store.kind, bounds: undefined });

  /** Whether all of it was read under the lease. */
  const read = async (): Promise<boolean> => {
    for await (const result of ended.results()) {
      if (job.cancellation.cancelled) return false;
      if (result.kept !== undefined) await files.write(result.kept);
      charged.add(result);
      if (charged.waiting < linesAtOnce) continue;
      const records = charged.take();
      if ((await job.commit((writing) => written(writing, records))) === 'fenced') return false;
    }
    return true;
  };

  const again = async (): Promise<JobOutcome> => {
    await files.abandon();
    return { kind: 'again', runAt: clock.wall() };
  };

  /** What is to be noted with the last lines. */
  const summed = async () => {
    const made = await files.end();
    return { made, ...(await charged.charge(clock.wall())) };
  };

  const conclude = async ({ made, charges, record }: Awaited<ReturnType<typeof summed>>): Promise<JobOutcome> => {
    const records = [...charged.take(), record];
    const change = { state: 'charged', ...charged.used } as const;
    const outcome = await job.commit(async (writing) => {
      await written(writing, records);
      await writing
        .updateTable('provider_batches')
        .set({ is_collected: 1, output_file_id: made.output ?? null, error_file_id: made.error ?? null })
        .where('workspace_id', '=', place.tenant)
        .where('remote_id', '=', place.id)
        .execute();
      await changeWatched(writing, place, change);
    }, jobDone);
    if (outcome === 'fenced') return again();
    charges.made();
    return jobDone;
  };

  let sum: Awaited<ReturnType<typeof summed>>;
  try {
    if (!(await read())) return await again();
    sum = await summed();
  } catch (error) {
    await files.abandon();
    throw error;
  }
  // Where this fails it is not known whether the files are noted, so that they stay.
  return conclude(sum);
};
