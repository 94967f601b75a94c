import { type GatewayError, gatewayError } from '../../../../schema/errors/errors.ts';
import { invalidInput } from '../../../../schema/errors/invalid-input.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { allowsModel } from '../../../sdk/models/allows-model.ts';
import { bodyModels } from '../../../sdk/models/body-models.ts';
import { joinModels } from '../../../sdk/models/named-models.ts';
import { modelNotAllowed, refusedModel } from '../../../sdk/models/refused-model.ts';
import { orUndo } from '../../kernel/records/records.ts';
import { memberProblem, notFound, queryFault, refuse } from '../../kernel/requests/refusals.ts';
import { isOwnFile } from '../files/is-own-file.ts';
import { providerFileStores } from '../provider-files/stores.ts';
import type { Account } from '../provider-requests/account.ts';
import { findEach } from '../provider-requests/find-each.ts';
import { recordedItems } from '../provider-requests/recorded-items.ts';
import { readId, requireSame } from '../provider-requests/request-json.ts';
import type { WorkParts } from '../provider-requests/work-parts.ts';
import type { JobPage, Listed, TuningExecutor } from './executors/executor.ts';
import { noSuchJobs } from './executors/executors.ts';
import { type NewJob, newJobProblems } from './job/new-job.ts';
import { normalisedCheckpoint, normalisedEvent, normalisedJob } from './job/normalised.ts';

/** The caller of a fine-tuning route, and its account. */
export interface TuningCaller {
  readonly parts: Pick<WorkParts, 'store' | 'accountIds' | 'remoteIds' | 'fileCopies'>;
  readonly tenant: TenantId;
  /** Absent if the caller has no key of the store. */
  readonly keyId: string | undefined;
  readonly account: Account;
  readonly executor: TuningExecutor;
}

type FileMember = 'training_file' | 'validation_file';

const unknownFile = (member: FileMember, name: string): GatewayError =>
  invalidInput([
    memberProblem(
      member,
      `There is no file "${name.slice(0, 255)}" of this workspace.`,
      'Upload it with POST /files, and use the id in the response.',
    ),
  ]);

/**
 * Returns the names under which a file of an account may be recorded: its id, and for an object in a storage also its address.
 */
const recordedNames = ({ provider }: Account, id: string): readonly string[] => {
  const known = providerFileStores.get(provider)?.findId(id);
  return known === undefined ? [id] : [...new Set([known, decodeURIComponent(known)])];
};

/** Checks whether this workspace may name a file of the account in a body. */
const mayUse = async ({ parts, tenant, account }: TuningCaller, id: string): Promise<boolean> => {
  for (const name of recordedNames(account, id))
    if ((await parts.accountIds.classify({ tenant, kind: 'file', account, id: name })) !== 'refused') return true;
  return false;
};

/**
 * Resolves to the account's name for a file that a body names; a file of the gateway is copied there. Throws the `GatewayError`
 * `invalid-input`.
 */
const toAccountFile = async (caller: TuningCaller, member: FileMember, id: string): Promise<string> => {
  const { parts, tenant, keyId: createdBy, account, executor } = caller;
  if (isOwnFile(id)) {
    const copied = await parts.fileCopies.copyInto({
      ...{ tenant, slug: account.slug, id, createdBy, place: executor.toPlace?.(account) },
      keyAccount: account.keyAccount,
      upload: (file) => executor.upload(file, account),
    });
    if (copied === undefined) throw unknownFile(member, id);
    return copied;
  }
  if (!(await mayUse(caller, id))) throw unknownFile(member, id);
  return id;
};

/**
 * Checks the models that a request names before anything of it is sent. Throws the `GatewayError`s `model-not-allowed`, and
 * `unclear-model` if a list of models applies and it is not clear which one the request names.
 */
const refuseModels = ({ models, slug }: Account, body: NewJob): void => {
  if (models === undefined) return;
  const named = joinModels([bodyModels({ ...body })]);
  if (named.kind === 'unclear') throw gatewayError('unclear-model', { reason: named.reason });
  const refused = refusedModel(named, allowsModel(models));
  if (refused !== undefined) throw modelNotAllowed(slug, refused);
};

const kind = 'fine-tuning-job';

/** Shows a job with the gateway's ids of its files. */
const shown = async (
  { parts, tenant, executor, account: { slug } }: TuningCaller,
  job: JsonObject,
): Promise<JsonObject> => {
  const whole = normalisedJob(job);
  const own = (id: string) => parts.fileCopies.findOriginal(tenant, { slug, id });
  return {
    ...whole,
    training_file: await own(whole.training_file),
    validation_file: whole.validation_file === null ? null : await own(whole.validation_file),
    executor: executor.kind,
  };
};

/** Throws the `GatewayError` `not-found` for a job that this workspace may not ask for in the account. */
const refuseForeign = async ({ parts, tenant, account }: TuningCaller, id: string): Promise<void> => {
  if (!(await parts.accountIds.mayAccess({ tenant, kind, account, id })))
    throw notFound('fine-tuning job', id, 'GET /v1/fine_tuning/jobs');
};

/** Creates a job, and records it for this workspace. */
export const createJob = async (caller: TuningCaller, body: NewJob): Promise<JsonObject> => {
  refuse(newJobProblems(body));
  const { parts, tenant, keyId, executor, account } = caller;
  refuseModels(account, body);
  const { training_file: training, validation_file: validation } = body;
  const files = {
    training_file: await toAccountFile(caller, 'training_file', training),
    ...(typeof validation === 'string'
      ? { validation_file: await toAccountFile(caller, 'validation_file', validation) }
      : {}),
  };
  const job = await executor.create({ ...body, ...files }, account);
  const id = readId(account, job, 'job');
  const named = { kind, id, slug: account.slug, account: account.keyAccount?.(), createdBy: keyId } as const;
  await orUndo(
    () => parts.remoteIds.record(tenant, named),
    () => executor.cancel(id, account),
  );
  return shown(caller, job);
};

/** The maximum number of jobs in a list, because each of them is a request to the provider. */
const maxListed = 100;

/** Lists the jobs that the workspace has created in the account, the newest first. */
export const listJobs = async (caller: TuningCaller, { after, limit }: JobPage): Promise<Listed> => {
  const { parts, tenant, account, executor } = caller;
  let recent: ReadonlyMap<string, JsonObject> | undefined;
  const readRecent = async (): Promise<ReadonlyMap<string, JsonObject>> => {
    const jobs = (await executor.recent?.(account, after)) ?? [];
    return new Map(jobs.map((job) => [findText(job.id) ?? '', job]));
  };
  const findAll = async (ids: readonly string[]): Promise<readonly JsonObject[]> => {
    if (ids.length > 1) recent ??= await readRecent();
    return findEach(ids, async (id) => {
      const job = recent?.get(id) ?? requireSame(account, await executor.retrieve(id, account), { id, what: 'job' });
      return shown(caller, job);
    });
  };
  const asked = { kind, slug: account.slug, after, limit: Math.min(limit, maxListed) } as const;
  const page = await recordedItems(parts.store, tenant, asked, findAll);
  if (page !== undefined) return page;
  throw queryFault(
    'after',
    `"after" is not the id of a job of this workspace in the account "${account.slug}".`,
    'Send the id of the last job on the previous page, or omit it.',
  );
};

/** Runs an action on one job, and shows the job. Throws the `GatewayError` `no-such-jobs` if the provider cannot pause jobs. */
export const runJob = async (
  caller: TuningCaller,
  id: string,
  move: 'retrieve' | 'cancel' | 'pause' | 'resume',
): Promise<JsonObject> => {
  const { executor, account } = caller;
  const run = executor[move];
  if (run === undefined)
    throw noSuchJobs(account.provider, 'fine-tuning jobs that can be paused', (each) => each[move] !== undefined);
  await refuseForeign(caller, id);
  return shown(caller, requireSame(account, await run(id, account), { id, what: 'job' }));
};

const normalised = { checkpoints: normalisedCheckpoint, events: normalisedEvent };

/** Lists the checkpoints or the events of one job. */
export const listOfJob = async (
  caller: TuningCaller,
  { id, what }: { readonly id: string; readonly what: 'checkpoints' | 'events' },
  page: JobPage,
): Promise<Listed> => {
  await refuseForeign(caller, id);
  const { data, hasMore } = await caller.executor[what](id, page, caller.account);
  return { data: data.map(normalised[what]), hasMore };
};
