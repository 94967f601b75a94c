import { randomUUID } from 'node:crypto';
import { gatewayError } from '../../../../schema/errors.ts';
import type { Json, JsonObject } from '../../../../schema/json.ts';
import { objectOf, objectsOf, textOf } from '../../../../schema/loose.ts';
import type { Account } from '../../accounts/account.ts';
import { ask } from '../../accounts/ask.ts';
import { fileForm } from '../../accounts/file-form.ts';
import { isoSeconds } from '../../accounts/iso-seconds.ts';
import type { NewJob } from '../new-job.ts';
import { noneListed, type TuningExecutor } from './executor.ts';
import { supervisedOnly } from './supervised-only.ts';

const provider = 'fireworks-ai';

/** The part of all paths that names the account. Throws the `GatewayError` `missing-base-url` if its setting is missing. */
const accountPath = ({ settings }: Account): string => {
  const id = textOf(settings.fireworks_account_id);
  if (id === undefined)
    throw gatewayError('missing-base-url', { provider, reason: 'fireworks_account_id is missing.' });
  return `/accounts/${encodeURIComponent(id)}`;
};

const jobsAt = (account: Account): string => `${accountPath(account)}/supervisedFineTuningJobs`;

const states: Readonly<Record<string, string>> = {
  JOB_STATE_CREATING: 'running',
  JOB_STATE_RUNNING: 'running',
  JOB_STATE_EVALUATION: 'running',
  JOB_STATE_WRITING_RESULTS: 'running',
  JOB_STATE_COMPLETED: 'succeeded',
  JOB_STATE_EARLY_STOPPED: 'succeeded',
  JOB_STATE_FAILED: 'failed',
  JOB_STATE_CANCELLED: 'cancelled',
  JOB_STATE_DELETING: 'cancelled',
};

const lastOf = (name: Json | undefined): string => textOf(name)?.split('/').at(-1) ?? '';

/** A data set of the account, by its id or by its whole name. */
const datasetOf = (name: string, account: Account): string =>
  name.startsWith('accounts/') ? name : `${accountPath(account).slice(1)}/datasets/${name}`;

/** Models without an account are those that Fireworks offers. */
const modelOf = (name: string): string => (name.includes('/') ? name : `accounts/fireworks/models/${name}`);

/** https://docs.fireworks.ai/api-reference/create-supervised-fine-tuning-job */
const requestOf = (body: NewJob, account: Account): JsonObject => {
  const { n_epochs: epochs, learning_rate: rate } = supervisedOnly(body, {
    provider,
    hyperparameters: ['n_epochs', 'learning_rate'],
  });
  const { model, suffix, training_file: training, validation_file: validation } = body;
  return {
    baseModel: modelOf(model),
    dataset: datasetOf(training, account),
    outputModel: `${accountPath(account).slice(1)}/models/${suffix}`,
    displayName: suffix,
    ...(typeof validation === 'string' ? { evaluationDataset: datasetOf(validation, account) } : {}),
    ...(epochs === undefined ? {} : { epochs }),
    ...(rate === undefined ? {} : { learningRate: rate }),
  };
};

/** https://docs.fireworks.ai/api-reference/get-supervised-fine-tuning-job */
const jobOf = (job: JsonObject): JsonObject => {
  const status = states[textOf(job.state) ?? ''] ?? 'queued';
  const { code, message } = objectOf(job.status) ?? {};
  return {
    id: lastOf(job.name),
    created_at: isoSeconds(job.createTime),
    finished_at: isoSeconds(job.completedTime),
    model: lastOf(job.baseModel),
    fine_tuned_model: status === 'succeeded' ? (job.outputModel ?? null) : null,
    status,
    error: status === 'failed' ? { code: textOf(code) ?? 'failed', message: textOf(message) ?? 'The job failed.' } : {},
    hyperparameters: {
      ...(job.epochs === undefined ? {} : { n_epochs: job.epochs }),
      ...(job.learningRate === undefined ? {} : { learning_rate: job.learningRate }),
    },
    training_file: lastOf(job.dataset),
    validation_file: job.evaluationDataset === undefined ? null : lastOf(job.evaluationDataset) || null,
    user_provided_suffix: job.displayName ?? null,
  };
};

const at = (id: string, account: Account): string => `${jobsAt(account)}/${encodeURIComponent(id)}`;

const retrieve = async (id: string, account: Account): Promise<JsonObject> =>
  jobOf(await ask(account, { method: 'GET', path: at(id, account) }));

/** Fireworks' supervised fine-tuning jobs. It has no way to cancel one but to delete it. */
export const fireworksTuning: TuningExecutor = {
  kind: 'mapped',
  isFileId: () => true,
  create: async (body, account) =>
    jobOf(await ask(account, { method: 'POST', path: jobsAt(account), body: requestOf(body, account) })),
  retrieve,
  async cancel(id, account) {
    const job = await retrieve(id, account);
    if (job.finished_at !== null) return job;
    await ask(account, { method: 'DELETE', path: at(id, account) });
    return { ...job, status: 'cancelled' };
  },
  async recent(account) {
    const { supervisedFineTuningJobs: jobs } = await ask(account, {
      method: 'GET',
      path: `${jobsAt(account)}?pageSize=100`,
    });
    return objectsOf(jobs).map(jobOf);
  },
  checkpoints: async () => noneListed,
  events: async () => noneListed,
  // https://docs.fireworks.ai/fine-tuning/fine-tuning-via-api
  async upload(file, account) {
    const datasetId = `gw-${randomUUID()}`;
    const datasets = `${accountPath(account)}/datasets`;
    await ask(account, { method: 'POST', path: datasets, body: { datasetId, dataset: { userUploaded: {} } } });
    const received = fileForm({ ...file, fields: {} });
    await ask(account, { method: 'POST', path: `${datasets}/${datasetId}:upload`, received });
    return datasetId;
  },
};
