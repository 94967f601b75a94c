import { hourMs } from '../../../../../schema/durations.ts';
import { fromJson } from '../../../../../schema/json/from-json.ts';
import type { TenantId } from '../../../../sdk/exchange/exchange.ts';
import type { StoredCaller } from '../../../access/identity/principal-now.ts';
import { type JobKind, type JobOutcome, jobDone, type RunningJob } from '../../../kernel/jobs/job-queue.ts';
import type { WatchedBatchRow } from '../../../kernel/store/tables.ts';
import { readAccount } from '../../provider-requests/account.ts';
import { isProviderError } from '../../provider-requests/provider-refusal.ts';
import { type BatchPlace, findWatched } from '../../remote-ids/remote-ids.ts';
import type { ProviderCall } from '../batch/executor.ts';
import { providerExecutors } from '../executors.ts';
import { changeWatched, watchKind } from '../providers/watched-batches.ts';
import { chargeBatch, type WatchParts } from './charge-batch.ts';

/** Returns the pause before a batch is polled again, in milliseconds, after `looks` polls: seconds at first, minutes later. */
export const pauseAfter = (looks: number): number => Math.min(300_000, Math.round(2000 * 1.5 ** Math.min(looks, 30)));

/** How long a batch is polled if nobody can query it any more. It is longer than the provider's window of 24 hours. */
const lostMs = 48 * hourMs;

/** Providers keep results for about a month: https://docs.claude.com/en/docs/build-with-claude/batch-processing */
const longestRunMs = 30 * 24 * hourMs;

const toPlace = ({ tenant, payload }: RunningJob): BatchPlace => ({
  tenant,
  ...{ slug: String(payload.slug), id: String(payload.batch) },
});

/**
 * Creates the call with which a job queries a batch, as its caller is now. Limits do not count it. Undefined if the caller may no
 * longer send requests. Rejects with the `GatewayError` `invalid-input` if the account is gone.
 */
const watchingCall = async (
  parts: WatchParts,
  row: WatchedBatchRow,
  { gateway, cancellation }: RunningJob,
): Promise<ProviderCall | undefined> => {
  // A tenant is named by its workspace.
  const tenant = row.workspace_id as TenantId;
  // The gateway wrote this column itself.
  const principal = await parts.principalNow(tenant, fromJson(row.caller) as StoredCaller);
  if (principal === undefined) return undefined;
  const traceId = `${row.remote_id}-watch`;
  const dispatch = gateway.dispatch({ traceId, cancellation });
  const context: ProviderCall['context'] = {
    ...{ principal, tenant, traceId, headers: [], cancellation, now: parts.now },
    dispatch: (request, as) => dispatch({ ...request, isCounted: false }, as),
  };
  return { tenant, context, account: await readAccount(parts, { tenant, name: row.account, context }) };
};

/** The job that waits for the end of a batch at a provider, and then collects and charges its results. */
const watchJob = (parts: WatchParts): JobKind => {
  const { store, clock } = parts;
  const toExecutor = providerExecutors(parts);

  /** Schedules the next poll, or gives up. `isLost`: the batch could not be queried this time. */
  const later = async (job: RunningJob, row: WatchedBatchRow, isLost: boolean): Promise<JobOutcome> => {
    const now = clock.wall();
    if (now - row.created_at > (isLost ? lostMs : longestRunMs)) {
      await job.commit((writing) => changeWatched(writing, toPlace(job), { state: 'given-up' }), jobDone);
      return jobDone;
    }
    const looks = Number(job.payload.looks) + 1;
    return { kind: 'again', runAt: now + pauseAfter(looks), payload: { ...job.payload, looks } };
  };

  return {
    name: watchKind,
    concurrency: 16,
    async run(job) {
      const row = await findWatched(store.db, toPlace(job));
      if (row?.state !== 'watched') return jobDone;
      try {
        const call = await watchingCall(parts, row, job);
        if (call === undefined) return later(job, row, true);
        const ended = await toExecutor(call.account.provider).findEnded(call, row.remote_id);
        if (ended === undefined) return later(job, row, false);
        return await chargeBatch(parts, { job, row, call, ended });
      } catch (error) {
        // If the job was cancelled, so was its query, which says nothing about the batch.
        if (isProviderError(error) && !job.cancellation.cancelled) return later(job, row, true);
        throw error;
      }
    },
  };
};

/** Makes a process wait for batches that providers run. */
export const watchBatches = (parts: WatchParts): void => parts.jobs.register(watchJob(parts));
