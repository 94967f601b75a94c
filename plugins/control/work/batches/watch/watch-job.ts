import { GatewayError } from '../../../../../schema/errors/errors.ts';
import { type JobKind, type JobOutcome, jobDone, type RunningJob } from '../../../kernel/jobs/job-queue.ts';
import type { WatchedBatchRow } from '../../../kernel/store/tables/tables.ts';
import { ProviderRefusal } from '../../accounts/provider-refusal.ts';
import type { EndedBatch, ProviderCall } from '../batch/executor.ts';
import { providerExecutors } from '../executors.ts';
import { type BatchPlace, changeWatched, findWatched, watchKind } from '../providers/watched-batches.ts';
import { chargeBatch } from './charge-batch.ts';
import { isGivenUp, pauseAfter } from './next-look.ts';
import type { WatchParts } from './watch-parts.ts';
import { watchingCall } from './watching-call.ts';

/** What a batch was found to be; `lost` where it could not be asked for. */
type Look =
  | { readonly kind: 'ended'; readonly call: ProviderCall; readonly ended: EndedBatch }
  | { readonly kind: 'running' | 'lost' };

/** What whoever asks a provider may be told: that it does not answer, refuses, or that the account is gone. */
const isOfProvider = (error: unknown): boolean => error instanceof GatewayError || error instanceof ProviderRefusal;

/** The job that waits for the end of a batch that a provider runs, and then collects and charges its results. */
const watchJob = (parts: WatchParts): JobKind => {
  const { store, clock } = parts;
  const toExecutor = providerExecutors(parts);

  const look = async (job: RunningJob, row: WatchedBatchRow): Promise<Look> => {
    try {
      const call = await watchingCall(parts, row, job);
      if (call === undefined) return { kind: 'lost' };
      const ended = await toExecutor(call.account.provider).ended(call, row.remote_id);
      return ended === undefined ? { kind: 'running' } : { kind: 'ended', call, ended };
    } catch (error) {
      if (isOfProvider(error)) return { kind: 'lost' };
      throw error;
    }
  };

  const later = async (job: RunningJob, row: WatchedBatchRow, isLost: boolean): Promise<JobOutcome> => {
    const now = clock.wall();
    const place: BatchPlace = { tenant: row.workspace_id, slug: row.slug, id: row.remote_id };
    if (isGivenUp(now - row.created_at, isLost)) {
      await job.commit((writing) => changeWatched(writing, place, { state: 'given-up' }), jobDone);
      return jobDone;
    }
    const looks = Number(job.payload.looks) + 1;
    return { kind: 'again', runAt: now + pauseAfter(looks), payload: { ...job.payload, looks } };
  };

  return {
    name: watchKind,
    concurrency: 16,
    async run(job) {
      const place = { tenant: job.tenant, slug: String(job.payload.slug), id: String(job.payload.batch) };
      const row = await findWatched(store.db, place);
      if (row?.state !== 'watched') return jobDone;
      const found = await look(job, row);
      if (found.kind !== 'ended') return later(job, row, found.kind === 'lost');
      try {
        return await chargeBatch(parts, { job, row, ...found });
      } catch (error) {
        if (isOfProvider(error)) return later(job, row, true);
        throw error;
      }
    },
  };
};

/** Lets a process wait for batches that providers run. */
export const watchBatches = (parts: WatchParts): void => parts.jobs.register(watchJob(parts));
