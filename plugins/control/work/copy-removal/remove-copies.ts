import { GatewayError } from '../../../../schema/errors/errors.ts';
import { findText } from '../../../../schema/json/loose.ts';
import type { Clock } from '../../../sdk/clock.ts';
import type { KeyScope, OrganisationId, Principal, TenantId, WorkspaceId } from '../../../sdk/exchange/exchange.ts';
import { type JobKind, type JobOutcome, jobDone, type RunningJob } from '../../kernel/jobs/job-queue.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { RemoteIdRow } from '../../kernel/store/tables/tables.ts';
import { type Account, readAccount } from '../accounts/account.ts';
import { ask } from '../accounts/ask.ts';
import { inTurns } from '../accounts/in-turns.ts';
import { ProviderRefusal } from '../accounts/provider-refusal.ts';
import type { WorkParts } from '../accounts/work-parts.ts';
import { findTuning } from '../fine-tuning/executors/executors.ts';
import { isOver, normalisedJob } from '../fine-tuning/job/normalised.ts';
import { providerFileStores } from '../provider-files/stores.ts';

/** A copy, and the times between which jobs can have been given it, in milliseconds since the epoch. */
interface ReadCopy {
  readonly tenant: TenantId;
  readonly account: Account;
  readonly from: number;
  readonly to: number;
}

/** Jobs that are asked for; where there are more, one of them is taken to run. */
const maxJobs = 200;
const maxAtOnce = 4;

const runsBatch = async ({ db }: Pick<Store, 'db'>, { tenant, account, from, to }: ReadCopy): Promise<boolean> => {
  const row = await db
    .selectFrom('watched_batches')
    .select('remote_id')
    .where('workspace_id', '=', tenant)
    .where('slug', '=', account.slug)
    .where('state', '=', 'watched')
    .where('created_at', '>=', from)
    .where('created_at', '<=', to)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
};

const runs = async (id: string, account: Account): Promise<boolean> => {
  try {
    const job = await findTuning(account.provider)?.retrieve(id, account);
    return job !== undefined && !isOver(findText(normalisedJob(job).status));
  } catch (error) {
    if (error instanceof ProviderRefusal && error.reply.status === 404) return false;
    throw error;
  }
};

const runsTuning = async ({ db }: Pick<Store, 'db'>, { tenant, account, from, to }: ReadCopy): Promise<boolean> => {
  const rows = await db
    .selectFrom('remote_ids')
    .select('remote_id')
    .where('workspace_id', '=', tenant)
    .where('kind', '=', 'fine-tuning-job')
    .where('slug', '=', account.slug)
    .where('created_at', '>=', from)
    .where('created_at', '<=', to)
    .limit(maxJobs + 1)
    .execute();
  if (rows.length > maxJobs) return true;
  const running = await inTurns(rows, maxAtOnce, ({ remote_id: id }) => runs(id, account));
  return running.includes(true);
};

/**
 * Whether a job of the workspace in an account may read a copy. Nobody notes which file a job was given, so that any that was made
 * since the copy is taken to read it until it is over. Rejects with a `ProviderRefusal` or a `GatewayError` where it cannot be known.
 */
const isCopyRead = async (store: Pick<Store, 'db'>, copy: ReadCopy): Promise<boolean> =>
  (await runsBatch(store, copy)) || runsTuning(store, copy);

const send = async (id: string, account: Account): Promise<void> => {
  const files = providerFileStores.get(account.provider);
  if (files !== undefined) return files.remove(id, account);
  // https://platform.openai.com/docs/api-reference/files/delete
  await ask(account, { method: 'DELETE', path: `/files/${encodeURIComponent(id)}` });
};

/** Deletes a file of an account, which may be gone already. Rejects like `ask`. */
const deleteCopy = async (id: string, account: Account): Promise<void> => {
  try {
    await send(id, account);
  } catch (error) {
    if (!(error instanceof ProviderRefusal) || error.reply.status !== 404) throw error;
  }
};

export type RemovalParts = WorkParts & { readonly clock: Pick<Clock, 'wall'> };

const name = 'copy-removal';

const minuteMs = 60_000;
/** By then, whoever was about to use a copy when its file was deleted has noted the job. */
const firstMs = 10 * minuteMs;
const longestMs = 60 * minuteMs;
/** Longer than batches run, and nearly all fine-tuning jobs. */
const givenUpMs = 8 * 24 * 60 * minuteMs;

const scopes: ReadonlySet<KeyScope> = new Set(['completions.write']);

/** Whoever made a copy may be gone: the gateway asks for itself. */
const ownPrincipal = (tenant: TenantId, organisation: string): Principal => ({
  ...{ tenant, scopes, reach: 'workspace' },
  organisation: organisation as OrganisationId,
  workspace: tenant as string as WorkspaceId,
});

const findRemoteCopy = (
  { store }: Pick<WorkParts, 'store'>,
  { tenant, payload }: RunningJob,
): Promise<RemoteIdRow | undefined> =>
  store.db
    .selectFrom('remote_ids')
    .selectAll()
    .where('workspace_id', '=', tenant)
    .where('kind', '=', 'file')
    .where('remote_id', '=', String(payload.copy))
    .executeTakeFirst();

/** The account that has a copy; undefined if the workspace has it no more. */
const accountAt = async (
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
  const dispatch = gateway.dispatch({ traceId: id, cancellation });
  const context = {
    ...{ headers: [], principal: ownPrincipal(tenant, row.organisation_id) },
    dispatch: (request: Parameters<typeof dispatch>[0], as: Principal) =>
      dispatch({ ...request, isCounted: false }, as),
  };
  try {
    return await readAccount(parts, { tenant, name: slug, context });
  } catch (error) {
    if (error instanceof GatewayError && error.report.code === 'invalid-input') return undefined;
    throw error;
  }
};

const isOfProvider = (error: unknown): boolean => error instanceof GatewayError || error instanceof ProviderRefusal;

const removalJob = (parts: RemovalParts): JobKind => {
  const { store, remoteIds, clock } = parts;

  /** Answers false where a job may read it, or its provider does not delete it. */
  const remove = async (job: RunningJob, copy: RemoteIdRow): Promise<boolean> => {
    const account = await accountAt(parts, copy, job);
    if (account === undefined) return true;
    const tenant = job.tenant as TenantId;
    try {
      if (await isCopyRead(store, { tenant, account, from: copy.created_at, to: Number(job.payload.at) + firstMs }))
        return false;
      await deleteCopy(copy.remote_id, account);
      return true;
    } catch (error) {
      if (isOfProvider(error)) return false;
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
      const copy = await findRemoteCopy(parts, job);
      if (copy === undefined) return jobDone;
      if (!(await remove(job, copy))) return later(job);
      await remoteIds.forget(job.tenant as TenantId, 'file', copy.remote_id);
      return jobDone;
    },
  };
};

/** Lets a process delete the copies that accounts have of a file of the gateway, after that was deleted. */
export const removeCopies = (parts: RemovalParts): void => {
  const { jobs, files, clock } = parts;
  jobs.register(removalJob(parts));
  files.onRemoval(async (tenant, id, writing) => {
    const copies = await writing
      .selectFrom('remote_ids')
      .select('remote_id')
      .where('workspace_id', '=', tenant)
      .where('kind', '=', 'file')
      .where('uses', '=', id)
      .execute();
    const at = clock.wall();
    for (const { remote_id: copy } of copies)
      await jobs.add(writing, {
        ...{ kind: name, id: `${tenant}/${copy}`, tenant, runAt: at + firstMs },
        payload: { copy, at, tries: 0 },
      });
  });
};
