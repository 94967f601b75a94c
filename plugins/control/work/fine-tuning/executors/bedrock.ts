import { randomUUID } from 'node:crypto';
import { type Json, type JsonObject, writtenText } from '../../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../../schema/json/loose.ts';
import { refuse } from '../../../kernel/requests/refusals.ts';
import { type Account, bedrockRole, missingRole } from '../../provider-requests/account.ts';
import { isoSeconds, lastSegment, readWord } from '../../provider-requests/read-values.ts';
import { requestJson } from '../../provider-requests/request-json.ts';
import { storedFiles } from '../../provider-requests/storage/cloud-storage.ts';
import { s3 } from '../../provider-requests/storage/object-storage.ts';
import type { NewJob } from '../job/new-job.ts';
import { addressProblems, emptyList, supportedHyperparameters, type TuningExecutor, toAddress } from './executor.ts';

const jobs = '/model-customization-jobs';

/** Bedrock's hyperparameters by OpenAI's names. Bedrock's depend on the base model, and each value is a text. */
const names: Readonly<Record<string, string>> = {
  n_epochs: 'epochCount',
  batch_size: 'batchSize',
  learning_rate: 'learningRate',
  learning_rate_multiplier: 'learningRateMultiplier',
};

const states: Readonly<Record<string, string>> = {
  InProgress: 'running',
  Completed: 'succeeded',
  Failed: 'failed',
  Stopping: 'cancelled',
  Stopped: 'cancelled',
};

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_CreateModelCustomizationJob.html */
const toRequest = (body: NewJob, jobName: string, account: Account): JsonObject => {
  const given = supportedHyperparameters(body, {
    provider: 'bedrock',
    methods: { supervised: Object.keys(names) },
    lacks: ['seed', 'integrations', 'metadata'],
  });
  const { model, suffix, validation_file: validation } = body;
  const roleArn = bedrockRole(body.role_arn, account);
  const training = toAddress(s3, body.training_file);
  refuse([...(roleArn === undefined ? [missingRole] : []), ...addressProblems(s3, training)]);
  return {
    ...{ jobName, clientRequestToken: jobName, customModelName: suffix, roleArn: roleArn ?? '' },
    baseModelIdentifier: model,
    customizationType: 'FINE_TUNING',
    trainingDataConfig: { s3Uri: training },
    ...(typeof validation === 'string'
      ? { validationDataConfig: { validators: [{ s3Uri: toAddress(s3, validation) }] } }
      : {}),
    outputDataConfig: { s3Uri: `${training.slice(0, training.lastIndexOf('/') + 1)}${suffix}/` },
    hyperParameters: Object.fromEntries(
      Object.entries(given).map(([name, value]) => [names[name] ?? name, writtenText(value)]),
    ),
  };
};

const number = (value: Json): Json =>
  typeof value === 'string' && Number.isFinite(Number(value)) ? Number(value) : value;

const readHyperparameters = (given: JsonObject): JsonObject => {
  const ours = new Map(Object.entries(names).map(([name, theirs]) => [theirs, name]));
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [ours.get(name) ?? name, number(value)]));
};

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_GetModelCustomizationJob.html */
const readJob = (job: JsonObject): JsonObject => {
  const [validator] = toObjects(findObject(job.validationDataConfig)?.validators);
  const output = findText(findObject(job.outputDataConfig)?.s3Uri);
  const state = findText(job.status) ?? '';
  return {
    id: findText(job.jobName) ?? '',
    created_at: isoSeconds(job.creationTime),
    finished_at: state === 'InProgress' ? null : isoSeconds(job.endTime),
    model: lastSegment(job.baseModelArn),
    fine_tuned_model: state === 'Completed' ? (job.outputModelArn ?? null) : null,
    status: readWord(states, state) ?? 'queued',
    error: state === 'Failed' ? { code: 'failed', message: findText(job.failureMessage) ?? 'The job failed.' } : {},
    hyperparameters: readHyperparameters(findObject(job.hyperParameters) ?? {}),
    training_file: findObject(job.trainingDataConfig)?.s3Uri ?? '',
    validation_file: validator?.s3Uri ?? null,
    result_files: state === 'Completed' && output !== undefined ? [output] : [],
    job_arn: job.jobArn ?? null,
  };
};

const retrieve = async (id: string, account: Account): Promise<JsonObject> =>
  readJob(await requestJson(account, { method: 'GET', path: `${jobs}/${encodeURIComponent(id)}` }));

/** Amazon Bedrock's model customization; the id of a job is its name there. */
export const bedrockTuning: TuningExecutor = {
  kind: 'mapped',
  ...storedFiles(s3),
  async create(body, account) {
    const name = `gw-${randomUUID()}`;
    await requestJson(account, { method: 'POST', path: jobs, body: toRequest(body, name, account) });
    return retrieve(name, account);
  },
  retrieve,
  async cancel(id, account) {
    await requestJson(account, { method: 'POST', path: `${jobs}/${encodeURIComponent(id)}/stop`, body: {} });
    return retrieve(id, account);
  },
  checkpoints: async () => emptyList,
  events: async () => emptyList,
};
