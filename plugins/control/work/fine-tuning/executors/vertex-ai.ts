import { type JsonObject, writtenText } from '../../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../../schema/json/loose.ts';
import { queryFault, refuse } from '../../../kernel/requests/refusals.ts';
import { type Account, vertexPath } from '../../provider-requests/account.ts';
import { isoSeconds, lastSegment, readInteger, readWord } from '../../provider-requests/read-values.ts';
import { requestJson } from '../../provider-requests/request-json.ts';
import { storedFiles } from '../../provider-requests/storage/cloud-storage.ts';
import { gcs } from '../../provider-requests/storage/object-storage.ts';
import type { NewJob } from '../job/new-job.ts';
import { addressProblems, emptyList, supportedHyperparameters, type TuningExecutor, toAddress } from './executor.ts';

const at = (account: Account, rest = ''): string => vertexPath(account, `tuningJobs${rest}`);

const states: Readonly<Record<string, string>> = {
  JOB_STATE_QUEUED: 'queued',
  JOB_STATE_PENDING: 'queued',
  JOB_STATE_PAUSED: 'queued',
  JOB_STATE_RUNNING: 'running',
  JOB_STATE_UPDATING: 'running',
  JOB_STATE_SUCCEEDED: 'succeeded',
  JOB_STATE_PARTIALLY_SUCCEEDED: 'succeeded',
  JOB_STATE_FAILED: 'failed',
  JOB_STATE_CANCELLING: 'cancelled',
  JOB_STATE_CANCELLED: 'cancelled',
  JOB_STATE_EXPIRED: 'cancelled',
};

/** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/tuning */
const toRequest = (body: NewJob): JsonObject => {
  const given = supportedHyperparameters(body, {
    provider: 'vertex-ai',
    methods: {
      supervised: ['n_epochs', 'learning_rate_multiplier'],
      dpo: ['n_epochs', 'learning_rate_multiplier', 'beta'],
    },
  });
  const { model, suffix, validation_file: validation } = body;
  const training = toAddress(gcs, body.training_file);
  refuse(addressProblems(gcs, training));
  const { n_epochs: epochs, learning_rate_multiplier: rate, beta } = given;
  return {
    baseModel: model,
    tunedModelDisplayName: suffix,
    [body.method.type === 'dpo' ? 'preferenceOptimizationSpec' : 'supervisedTuningSpec']: {
      trainingDatasetUri: training,
      ...(typeof validation === 'string' ? { validationDatasetUri: toAddress(gcs, validation) } : {}),
      hyperParameters: {
        ...(epochs === undefined ? {} : { epochCount: String(epochs) }),
        ...(rate === undefined ? {} : { learningRateMultiplier: rate }),
        ...(beta === undefined ? {} : { beta }),
      },
    },
  };
};

/** https://cloud.google.com/vertex-ai/docs/reference/rest/v1/projects.locations.tuningJobs */
const readJob = (job: JsonObject): JsonObject => {
  const { trainingDatasetUri, validationDatasetUri, hyperParameters } =
    findObject(job.preferenceOptimizationSpec) ?? findObject(job.supervisedTuningSpec) ?? {};
  const { epochCount, learningRateMultiplier: rate, beta } = findObject(hyperParameters) ?? {};
  const { code, message } = findObject(job.error) ?? {};
  const status = readWord(states, job.state) ?? 'queued';
  const epochs = readInteger(epochCount);
  const { supervisedTuningDataStats, preferenceOptimizationDataStats } = findObject(job.tuningDataStats) ?? {};
  const stats = findObject(supervisedTuningDataStats ?? preferenceOptimizationDataStats);
  return {
    id: lastSegment(job.name),
    created_at: isoSeconds(job.createTime),
    finished_at: isoSeconds(job.endTime),
    model: job.baseModel ?? '',
    fine_tuned_model: status === 'succeeded' ? (findObject(job.tunedModel)?.model ?? null) : null,
    status,
    error:
      status === 'failed'
        ? { code: writtenText(code ?? 'failed'), message: findText(message) ?? 'The job failed.' }
        : {},
    hyperparameters: {
      ...(epochs === null ? {} : { n_epochs: epochs }),
      ...(rate === undefined ? {} : { learning_rate_multiplier: rate }),
      ...(beta === undefined ? {} : { beta }),
    },
    trained_tokens: status === 'succeeded' ? readInteger(stats?.totalBillableTokenCount) : null,
    training_file: trainingDatasetUri ?? '',
    validation_file: validationDatasetUri ?? null,
    user_provided_suffix: job.tunedModelDisplayName ?? null,
  };
};

const retrieve = async (id: string, account: Account): Promise<JsonObject> =>
  readJob(await requestJson(account, { method: 'GET', path: at(account, `/${encodeURIComponent(id)}`) }));

/** Vertex AI's tuning jobs; the id of a job is the last segment of its name. */
export const vertexTuning: TuningExecutor = {
  kind: 'mapped',
  ...storedFiles(gcs),
  create: async (body, account) =>
    readJob(await requestJson(account, { method: 'POST', path: at(account), body: toRequest(body) })),
  retrieve,
  async cancel(id, account) {
    await requestJson(account, { method: 'POST', path: at(account, `/${encodeURIComponent(id)}:cancel`), body: {} });
    return retrieve(id, account);
  },
  async recent(account) {
    const { tuningJobs } = await requestJson(account, { method: 'GET', path: at(account, '?pageSize=100') });
    return toObjects(tuningJobs).map(readJob);
  },
  async checkpoints(id, { after, limit }, account) {
    const job = await requestJson(account, { method: 'GET', path: at(account, `/${encodeURIComponent(id)}`) });
    const all = toObjects(findObject(job.tunedModel)?.checkpoints).map((checkpoint) => ({
      id: findText(checkpoint.checkpointId) ?? '',
      created_at: isoSeconds(job.endTime),
      fine_tuned_model_checkpoint: checkpoint.endpoint ?? '',
      step_number: readInteger(checkpoint.step) ?? 0,
      metrics: {},
      fine_tuning_job_id: id,
    }));
    const last = all.findIndex((each) => each.id === after);
    if (after !== undefined && last === -1)
      throw queryFault(
        'after',
        `"after" is not the id of a checkpoint of this job.`,
        'Send the id of the last checkpoint on the previous page, or omit it.',
      );
    const from = last + 1;
    return { data: all.slice(from, from + limit), hasMore: all.length > from + limit };
  },
  events: async () => emptyList,
};
