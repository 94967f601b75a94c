import type { JsonObject } from '../../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../../schema/json/loose.ts';
import type { Account } from '../../provider-requests/account.ts';
import { fireworksPath, uploadDataset } from '../../provider-requests/datasets/fireworks-datasets.ts';
import { isoSeconds, lastSegment, readWord } from '../../provider-requests/read-values.ts';
import { requestJson } from '../../provider-requests/request-json.ts';
import type { NewJob } from '../job/new-job.ts';
import { emptyList, supportedHyperparameters, type TuningExecutor } from './executor.ts';

const provider = 'fireworks-ai';

/** The list of jobs for each method. Ids of jobs that are not supervised begin with the name of the method. */
const lists = { supervised: 'supervisedFineTuningJobs', dpo: 'dpoJobs' } as const;
type Method = keyof typeof lists;
const dpoPrefix = 'dpo.';

const jobsAt = (account: Account, method: Method): string => `${fireworksPath(account)}/${lists[method]}`;

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

/** Returns the name of a data set of the account, given its id or its full name. */
const toDataset = (name: string, account: Account): string =>
  name.startsWith('accounts/') ? name : `${fireworksPath(account).slice(1)}/datasets/${name}`;

/** Returns the name of a model. A name without an account is one of Fireworks' own models. */
const toModel = (name: string): string => (name.includes('/') ? name : `accounts/fireworks/models/${name}`);

/** https://docs.fireworks.ai/api-reference/create-supervised-fine-tuning-job and create-dpo-job */
const toRequest = (body: NewJob, account: Account): JsonObject => {
  const isDpo = body.method.type === 'dpo';
  const given = supportedHyperparameters(body, {
    provider,
    methods: { supervised: ['n_epochs', 'learning_rate'], dpo: ['n_epochs', 'learning_rate', 'beta'] },
    lacks: ['seed', 'integrations', 'metadata', 'role_arn', ...(isDpo ? (['validation_file'] as const) : [])],
  });
  const { n_epochs: epochs, learning_rate: rate, beta } = given;
  const { model, suffix, training_file: training, validation_file: validation } = body;
  const common = { dataset: toDataset(training, account), displayName: suffix };
  const trained = {
    baseModel: toModel(model),
    outputModel: `${fireworksPath(account).slice(1)}/models/${suffix}`,
    ...(epochs === undefined ? {} : { epochs }),
    ...(rate === undefined ? {} : { learningRate: rate }),
  };
  if (isDpo)
    return {
      ...{ ...common, trainingConfig: trained },
      lossConfig: { method: 'DPO', ...(beta === undefined ? {} : { klBeta: beta }) },
    };
  return {
    ...{ ...common, ...trained },
    ...(typeof validation === 'string' ? { evaluationDataset: toDataset(validation, account) } : {}),
  };
};

/** https://docs.fireworks.ai/api-reference/get-supervised-fine-tuning-job and get-dpo-job */
const readJob = (job: JsonObject): JsonObject => {
  const status = readWord(states, job.state) ?? 'queued';
  const { code, message } = findObject(job.status) ?? {};
  const trained = findObject(job.trainingConfig) ?? job;
  const beta = findObject(job.lossConfig)?.klBeta;
  return {
    id: `${job.trainingConfig === undefined ? '' : dpoPrefix}${lastSegment(job.name)}`,
    created_at: isoSeconds(job.createTime),
    finished_at: isoSeconds(job.completedTime),
    model: lastSegment(trained.baseModel),
    fine_tuned_model: status === 'succeeded' ? (trained.outputModel ?? null) : null,
    status,
    error:
      status === 'failed' ? { code: findText(code) ?? 'failed', message: findText(message) ?? 'The job failed.' } : {},
    hyperparameters: {
      ...(trained.epochs === undefined ? {} : { n_epochs: trained.epochs }),
      ...(trained.learningRate === undefined ? {} : { learning_rate: trained.learningRate }),
      ...(beta === undefined ? {} : { beta }),
    },
    training_file: lastSegment(job.dataset),
    validation_file: job.evaluationDataset === undefined ? null : lastSegment(job.evaluationDataset) || null,
    user_provided_suffix: job.displayName ?? null,
  };
};

const at = (id: string, account: Account): string =>
  id.startsWith(dpoPrefix)
    ? `${jobsAt(account, 'dpo')}/${encodeURIComponent(id.slice(dpoPrefix.length))}`
    : `${jobsAt(account, 'supervised')}/${encodeURIComponent(id)}`;

const retrieve = async (id: string, account: Account): Promise<JsonObject> =>
  readJob(await requestJson(account, { method: 'GET', path: at(id, account) }));

const newest = async (method: Method, account: Account): Promise<readonly JsonObject[]> => {
  const answer = await requestJson(account, { method: 'GET', path: `${jobsAt(account, method)}?pageSize=100` });
  return toObjects(answer[lists[method]]).map(readJob);
};

/** Fireworks' fine-tuning jobs. A job can only be cancelled by deleting it. */
export const fireworksTuning: TuningExecutor = {
  kind: 'mapped',
  create: async (body, account) =>
    readJob(
      await requestJson(account, {
        ...{ method: 'POST', path: jobsAt(account, body.method.type === 'dpo' ? 'dpo' : 'supervised') },
        body: toRequest(body, account),
      }),
    ),
  retrieve,
  async cancel(id, account) {
    const job = await retrieve(id, account);
    if (job.finished_at !== null) return job;
    await requestJson(account, { method: 'DELETE', path: at(id, account) });
    return { ...job, status: 'cancelled' };
  },
  recent: async (account) => (await Promise.all([newest('supervised', account), newest('dpo', account)])).flat(),
  checkpoints: async () => emptyList,
  events: async () => emptyList,
  upload: uploadDataset,
};
