import { GatewayError } from '../../../schema/errors/errors.ts';
import type { Clock } from '../../sdk/clock.ts';
import type { KeyScope, OrganisationId, Principal, TenantId, WorkspaceId } from '../../sdk/exchange/exchange.ts';
import { mapConcurrently } from '../../sdk/time/map-concurrently.ts';
import { type JobKind, type JobOutcome, jobDone, type RunningJob } from '../kernel/jobs/job-queue.ts';
import type { Reading } from '../kernel/records/records.ts';
import type { RemoteIdRow } from '../kernel/store/tables.ts';
import { tuningExecutors } from './fine-tuning/executors/executors.ts';
import { isOver, normalisedJob } from './fine-tuning/job/normalised.ts';
import { providerFileStores } from './provider-files/stores.ts';
import { type Account, readAccount } from './provider-requests/account.ts';
import { undefinedIfGone } from './provider-requests/find-each.ts';
import { isProviderError } from './provider-requests/provider-refusal.ts';
import { requestJson } from './provider-requests/request-json.ts';
import type { WorkParts } from './provider-requests/work-parts.ts';
import { kindsAt, remoteRows } from './remote-ids/remote-ids.ts';

/** The maximum number of jobs that are queried. If there are more, one of them is assumed to be running. */
const maxJobs = 200;
const maxAtOnce = 4;

const runs = async (id: string, account: Account): Promise<boolean> => {
  const job = await tuningExecutors.get(account.provider)?.retrieve(id, account).catch(undefinedIfGone);
  return job !== undefined && !isOver(normalisedJob(job).status);
};

/**
 * Checks whether a job of the workspace in an account may read a copy. The gateway does not record which file a job reads, so any
 * job that was created since the copy is assumed to read it until it ends. Rejects with a `ProviderRefusal` or a `GatewayError`
 * if this cannot be determined. `to` is the latest time at which a job can have been given the copy, in milliseconds since the
 * epoch.
 */
const isCopyRead = async (
  db: Reading,
  { workspace_id: tenant, created_at: from }: RemoteIdRow,
  { account, to }: { readonly account: Account; readonly to: number },
): Promise<boolean> => {
  const batch = await db
    .selectFrom('watched_batches')
    .select('remote_id')
    .where('workspace_id', '=', tenant)
    .where('slug', '=', account.slug)
    .where('state', '=', 'watched')
    .where('created_at', '>=', from)
    .where('created_at', '<=', to)
    .limit(1)
    .executeTakeFirst();
  if (batch !== undefined) return true;
  const tunings = await db
    .selectFrom('remote_ids')
    .select('remote_id')
    .where('workspace_id', '=', tenant)
    .where('kind', 'in', kindsAt('fine-tuning-job', account.slug))
    .where('slug', '=', account.slug)
    .where('created_at', '>=', from)
    .where('created_at', '<=', to)
    .limit(maxJobs + 1)
    .execute();
  if (tunings.length > maxJobs) return true;
  return (await mapConcurrently(tunings, maxAtOnce, ({ remote_id: id }) => runs(id, account))).includes(true);
};

/** Deletes a file of an account; does nothing if it is already gone. Rejects like `requestJson`. */
const deleteCopy = async (id: string, account: Account): Promise<void> => {
  const removed: Promise<unknown> =
    providerFileStores.get(account.provider)?.remove(id, account) ??
    // https://platform.openai.com/docs/api-reference/files/delete
    requestJson(account, { method: 'DELETE', path: `/files/${encodeURIComponent(id)}` });
  await removed.catch(undefinedIfGone);
};

export type RemovalParts = WorkParts & { readonly clock: Pick<Clock, 'wall'> };

const name = 'copy-removal';

const minuteMs = 60_000;
/** By then, a caller that was about to use a copy when its file was deleted has recorded its job. */
const firstMs = 10 * minuteMs;
const longestMs = 60 * minuteMs;
/** Longer than batches and nearly all fine-tuning jobs run. */
const givenUpMs = 8 * 24 * 60 * minuteMs;

const scopes: ReadonlySet<KeyScope> = new Set(['completions.write']);

/** Finds the account that has a copy; undefined if the workspace no longer has the account. */
const findAccount = async (
  parts: RemovalParts,
  { slug }: RemoteIdRow,
  { id, tenant: workspace, gateway, cancellation }: RunningJob,
): Promise<Account | undefined> => {
  const tenant = workspace as TenantId;
  const row = await parts.store.db
    .selectFrom('workspaces')
    .select('organisation_id')
    .where('id', '=', tenant)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  // The creator of the copy may be gone, so the gateway uses a principal of its own.
  const principal: Principal = {
    ...{ tenant, scopes, reach: 'workspace' },
    organisation: row.organisation_id as OrganisationId,
    workspace: workspace as WorkspaceId,
  };
  const dispatch = gateway.dispatch({ traceId: id, cancellation });
  const uncounted: typeof dispatch = (request, as) => dispatch({ ...request, isCounted: false }, as);
  try {
    return await readAccount(parts, { tenant, name: slug, context: { headers: [], principal, dispatch: uncounted } });
  } catch (error) {
    if (error instanceof GatewayError && error.report.code === 'invalid-input') return undefined;
    throw error;
  }
};

const removalJob = (parts: RemovalParts): JobKind => {
  const { store, remoteIds, clock } = parts;

  /** Removes a copy. Resolves to false if a job may read it, or if its provider does not delete it. */
  const remove = async (job: RunningJob, copy: RemoteIdRow): Promise<boolean> => {
    const account = await findAccount(parts, copy, job);
    if (account === undefined) return true;
    try {
      if (await isCopyRead(store.db, copy, { account, to: Number(job.payload.at) + firstMs })) return false;
      await deleteCopy(copy.remote_id, account);
      return true;
    } catch (error) {
      if (isProviderError(error)) return false;
      throw error;
    }
  };

  const later = ({ payload }: RunningJob): JobOutcome => {
    const now = clock.wall();
    if (now - Number(payload.at) > givenUpMs) return jobDone;
    const tries = Number(payload.tries) + 1;
    const pause = Math.min(longestMs, minuteMs * 2 ** Math.min(tries, 10));
    return { kind: 'again', runAt: now + pause, payload: { ...payload, tries } };
  };

  return {
    name,
    concurrency: 8,
    async run(job) {
      const { tenant, payload } = job;
      const earliest = Number(payload.at) + firstMs;
      if (clock.wall() < earliest) return { kind: 'again', runAt: earliest };
      const rows = await remoteRows(store.db, tenant, { kind: 'file', id: String(payload.copy) });
      // Jobs of older versions name no account.
      const copy = rows.find(({ slug }) => slug === (payload.slug ?? rows[0]?.slug));
      if (copy === undefined) return jobDone;
      if (!(await remove(job, copy))) return later(job);
      await remoteIds.forget(tenant as TenantId, { kind: 'file', id: copy.remote_id, slug: copy.slug });
      return jobDone;
    },
  };
};

/** Makes a process delete the copies that accounts have of a file of the gateway, after that file was deleted. */
export const removeCopies = (parts: RemovalParts): void => {
  const { jobs, files, clock } = parts;
  jobs.register(removalJob(parts));
  files.onRemoval(async (tenant, id, writing) => {
    const copies = await writing
      .selectFrom('remote_ids')
      .select(['remote_id', 'slug'])
      .where('workspace_id', '=', tenant)
      .where('uses', '=', id)
      .execute();
    const at = clock.wall();
    for (const { remote_id: copy, slug } of copies)
      await jobs.add(writing, {
        ...{ kind: name, id: `${tenant}/${slug}/${copy}`, tenant, runAt: at + firstMs },
        payload: { copy, slug, at, tries: 0 },
      });
  });
};
