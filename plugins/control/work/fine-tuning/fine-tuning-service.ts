import { gatewayError } from '../../../../schema/errors/errors.ts';
import { invalidInput } from '../../../../schema/errors/invalid-input.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';
import { notFound, refuse } from '../../kernel/requests/refusals.ts';
import type { Store } from '../../kernel/store/store.ts';
import { inTurns } from '../accounts/in-turns.ts';
import { ProviderRefusal } from '../accounts/provider-refusal.ts';
import { refuseModels } from '../accounts/refuse-models.ts';
import type { AccountIds } from '../remote-ids/account-ids.ts';
import { type RemoteIds, recordedPage } from '../remote-ids/remote-ids.ts';
import type { JobPage, Listed } from './executors/executor.ts';
import { noSuchJobs } from './executors/executors.ts';
import { type NewJob, newJobProblems } from './job/new-job.ts';
import { normalisedCheckpoint, normalisedEvent, normalisedJob } from './job/normalised.ts';
import type { JobFiles, TuningCaller } from './job-files.ts';

const kind = 'fine-tuning-job';

/** How many jobs of a page are asked for at the same time. */
const maxAtOnce = 8;

interface FineTuningParts {
  readonly store: Store;
  readonly remoteIds: RemoteIds;
  readonly accountIds: AccountIds;
  readonly jobFiles: JobFiles;
}

/** Fine-tuning jobs of a workspace in an account: no others are listed, read or cancelled. */
export interface FineTuning {
  create(caller: TuningCaller, body: NewJob): Promise<JsonObject>;
  list(caller: TuningCaller, page: JobPage): Promise<Listed>;
  retrieve(caller: TuningCaller, id: string): Promise<JsonObject>;
  cancel(caller: TuningCaller, id: string): Promise<JsonObject>;
  /** Throws the `GatewayError` `no-such-jobs` for a provider whose jobs cannot be paused. */
  pause(caller: TuningCaller, id: string): Promise<JsonObject>;
  resume(caller: TuningCaller, id: string): Promise<JsonObject>;
  checkpoints(caller: TuningCaller, id: string, page: JobPage): Promise<Listed>;
  events(caller: TuningCaller, id: string, page: JobPage): Promise<Listed>;
}

const isGone = (error: unknown): boolean => error instanceof ProviderRefusal && error.reply.status === 404;

export const createFineTuning = ({ store, remoteIds, accountIds, jobFiles }: FineTuningParts): FineTuning => {
  const shown = async ({ tenant, executor }: TuningCaller, job: JsonObject): Promise<JsonObject> => ({
    ...(await jobFiles.fromAccount(tenant, normalisedJob(job))),
    executor: executor.kind,
  });

  /** Throws the `GatewayError` `not-found` for a job that this workspace may not ask for in the account. */
  const validate = async ({ tenant, account }: TuningCaller, id: string): Promise<void> => {
    if (!(await accountIds.mayAsk({ tenant, kind, account, id })))
      throw notFound('fine-tuning job', id, 'GET /fine_tuning/jobs');
  };

  const move = async (caller: TuningCaller, id: string, to: 'pause' | 'resume'): Promise<JsonObject> => {
    const { executor, account } = caller;
    const run = executor[to];
    if (run === undefined)
      throw noSuchJobs(account.provider, 'fine-tuning jobs that can be paused', (each) => each[to] !== undefined);
    await validate(caller, id);
    return shown(caller, await run(id, account));
  };

  const note = async ({ tenant, keyId, account, executor }: TuningCaller, id: string): Promise<void> => {
    try {
      await remoteIds.record(tenant, { kind, id, slug: account.slug, createdBy: keyId });
    } catch (error) {
      // Nobody could find it again.
      await executor.cancel(id, account).catch(() => {});
      throw error;
    }
  };

  return {
    async create(caller, body) {
      refuse(newJobProblems(body));
      const { executor, account } = caller;
      refuseModels(account, { ...body });
      const { training_file: training, validation_file: validation } = body;
      const job = await executor.create(
        {
          ...body,
          training_file: await jobFiles.toAccount(caller, 'training_file', training),
          ...(typeof validation === 'string'
            ? { validation_file: await jobFiles.toAccount(caller, 'validation_file', validation) }
            : {}),
        },
        account,
      );
      const id = findText(job.id) ?? '';
      if (id === '')
        throw gatewayError('unreadable-answer', { provider: account.provider, reason: 'its job has no id.' });
      await note(caller, id);
      return shown(caller, job);
    },

    async list(caller, { after, limit }) {
      const { tenant, account, executor } = caller;
      const page = await recordedPage(store, tenant, { kind, slug: account.slug, after, limit });
      if (page === undefined)
        throw invalidInput([
          {
            in: 'query',
            pointer: toPointer(['after']),
            message: `"after" is not the id of a job of this workspace in the account "${account.slug}".`,
            hint: 'Send the id of the last job of the page before, or leave it out.',
          },
        ]);
      const { ids, hasMore } = page;
      const recent = ids.length < 2 ? [] : ((await executor.recent?.(account)) ?? []);
      const known = new Map(recent.map((job) => [findText(job.id) ?? '', job]));
      const found = await inTurns(ids, maxAtOnce, async (id) => {
        try {
          return await shown(caller, known.get(id) ?? (await executor.retrieve(id, account)));
        } catch (error) {
          if (isGone(error)) return undefined;
          throw error;
        }
      });
      return { data: found.filter((job) => job !== undefined), hasMore };
    },

    async retrieve(caller, id) {
      await validate(caller, id);
      return shown(caller, await caller.executor.retrieve(id, caller.account));
    },

    async cancel(caller, id) {
      await validate(caller, id);
      return shown(caller, await caller.executor.cancel(id, caller.account));
    },

    pause: (caller, id) => move(caller, id, 'pause'),
    resume: (caller, id) => move(caller, id, 'resume'),

    async checkpoints(caller, id, page) {
      await validate(caller, id);
      const { data, hasMore } = await caller.executor.checkpoints(id, page, caller.account);
      return { data: data.map(normalisedCheckpoint), hasMore };
    },

    async events(caller, id, page) {
      await validate(caller, id);
      const { data, hasMore } = await caller.executor.events(id, page, caller.account);
      return { data: data.map(normalisedEvent), hasMore };
    },
  };
};
