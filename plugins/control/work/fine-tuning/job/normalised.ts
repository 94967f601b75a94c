import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import { findItems, findNumber, findObject, findText, toTexts } from '../../../../../schema/json/loose.ts';
import { wireSeconds } from '../../accounts/answers/wire-seconds.ts';
import { toHyperparameters } from './hyperparameters.ts';

/** The words of services for states that have another name here, and states that are none of these. */
const statuses: Readonly<Record<string, string>> = {
  created: 'queued',
  creating: 'queued',
  pending: 'queued',
  notRunning: 'queued',
  paused: 'queued',
  resuming: 'queued',
  pausing: 'running',
  postprocessing: 'running',
  deleted: 'cancelled',
  canceled: 'cancelled',
};

export const jobStatuses = ['validating_files', 'queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;

const endStatuses: readonly (string | undefined)[] = ['succeeded', 'failed', 'cancelled'];

/** Whether a job with this status does nothing any more. */
export const isOver = (status: string | undefined): boolean => endStatuses.includes(status);

const readStatus = (value: Json | undefined): string => {
  const given = findText(value) ?? '';
  const status = statuses[given] ?? given;
  return jobStatuses.some((each) => each === status) ? status : 'running';
};

const withoutNulls = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));

const optional = ({ metadata, integrations, estimated_finish: finish }: JsonObject): JsonObject => ({
  ...(metadata === undefined ? {} : { metadata: findObject(metadata) ?? {} }),
  ...(integrations === undefined ? {} : { integrations: findItems(integrations) ?? null }),
  ...(finish === undefined ? {} : { estimated_finish: wireSeconds(finish) ?? null }),
});

/** A job of a provider with all members that the specification requires; what it has beside them is kept. */
export const normalisedJob = (job: JsonObject): JsonObject => ({
  ...job,
  id: findText(job.id) ?? '',
  object: 'fine_tuning.job',
  created_at: wireSeconds(job.created_at) ?? 0,
  error: withoutNulls(findObject(job.error) ?? {}),
  fine_tuned_model: findText(job.fine_tuned_model) ?? null,
  finished_at: wireSeconds(job.finished_at) ?? null,
  hyperparameters: {
    n_epochs: 'auto',
    ...withoutNulls(
      toHyperparameters({ hyperparameters: findObject(job.hyperparameters), method: findObject(job.method) }),
    ),
  },
  model: findText(job.model) ?? '',
  organization_id: findText(job.organization_id) ?? '',
  result_files: toTexts(job.result_files),
  status: readStatus(job.status),
  trained_tokens: findNumber(job.trained_tokens) ?? null,
  training_file: findText(job.training_file) ?? '',
  validation_file: findText(job.validation_file) ?? null,
  seed: findNumber(job.seed) ?? 0,
  ...optional(job),
});

export const normalisedCheckpoint = (checkpoint: JsonObject): JsonObject => ({
  ...checkpoint,
  object: 'fine_tuning.job.checkpoint',
  created_at: wireSeconds(checkpoint.created_at) ?? 0,
  metrics: withoutNulls(findObject(checkpoint.metrics) ?? {}),
});

export const normalisedEvent = (event: JsonObject): JsonObject => ({
  ...event,
  object: 'fine_tuning.job.event',
  created_at: wireSeconds(event.created_at) ?? 0,
});
