import type { Json, JsonObject } from '../../../../../schema/json/json.ts';
import {
  findItems,
  findObject,
  findText,
  textMembers,
  toObjects,
  toTexts,
  withoutNulls,
} from '../../../../../schema/json/loose.ts';
import type { ParameterSchema } from '../../../../sdk/parameters/from-schema.ts';
import { objectSchema, orNull, seconds, text, textOrNull, titled } from '../../../kernel/requests/replies.ts';
import { readCount, readInteger, readWord, toEpochSeconds } from '../../provider-requests/read-values.ts';
import { metadataSchema } from './new-job.ts';

interface Tuned {
  readonly hyperparameters?: JsonObject | undefined;
  readonly method?: JsonObject | undefined;
}

interface PlacedHyperparameters {
  readonly values: JsonObject;
  /** The path of members that leads to the hyperparameters. */
  readonly place: readonly string[];
}

/** Finds the hyperparameters of a job, or of a body that creates one: its own, or else those of its method. */
export const placedHyperparameters = ({ hyperparameters, method }: Tuned): PlacedHyperparameters => {
  if (hyperparameters !== undefined && Object.keys(hyperparameters).length > 0)
    return { values: hyperparameters, place: ['hyperparameters'] };
  const type = findText(method?.type) ?? '';
  const values = findObject(findObject(method?.[type])?.hyperparameters) ?? {};
  return { values, place: ['method', type, 'hyperparameters'] };
};

/** Picks the hyperparameters that are not left to the provider. */
export const givenHyperparameters = (hyperparameters: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(hyperparameters).filter(([, value]) => value !== 'auto'));

/** The words of services for states that have another name here, and for states that do not exist here. */
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

const jobStatuses = ['validating_files', 'queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;

const endStatuses: readonly (string | undefined)[] = ['succeeded', 'failed', 'cancelled'];

/** Checks whether a status is final. */
export const isOver = (status: string | undefined): boolean => endStatuses.includes(status);

const readStatus = (value: Json | undefined): string => {
  const status = readWord(statuses, value) ?? value;
  return jobStatuses.find((each) => each === status) ?? 'running';
};

const optional = ({ metadata, integrations, estimated_finish: finish }: JsonObject, status: string): JsonObject => ({
  ...(metadata === undefined ? {} : { metadata: textMembers(metadata) }),
  ...(integrations === undefined
    ? {}
    : { integrations: findItems(integrations) === undefined ? null : toObjects(integrations) }),
  ...(finish === undefined ? {} : { estimated_finish: status === 'running' ? (toEpochSeconds(finish) ?? null) : null }),
});

const readHyperparameters = ({ hyperparameters, method }: JsonObject): JsonObject => {
  const tuned = { hyperparameters: findObject(hyperparameters), method: findObject(method) };
  const { values: given } = placedHyperparameters(tuned);
  return { ...withoutNulls(given), n_epochs: readInteger(given.n_epochs) ?? 'auto' };
};

/** Reads the texts with these names; a value that is not a text becomes empty. */
const readTexts = (found: JsonObject, names: readonly string[]): { readonly [name: string]: string } =>
  Object.fromEntries(names.map((name) => [name, findText(found[name]) ?? '']));

/** The members that are null until a job has ended, whatever its provider returns for them. */
const toResults = (job: JsonObject, status: string): JsonObject =>
  isOver(status)
    ? {
        fine_tuned_model: findText(job.fine_tuned_model) ?? null,
        finished_at: toEpochSeconds(job.finished_at) ?? null,
        trained_tokens: readInteger(job.trained_tokens),
      }
    : { fine_tuned_model: null, finished_at: null, trained_tokens: null };

/** Completes a provider's job with all members that the specification requires; its other members stay. */
export const normalisedJob = (
  job: JsonObject,
): JsonObject & {
  readonly status: string;
  readonly training_file: string;
  readonly validation_file: string | null;
} => {
  const status = readStatus(job.status);
  return {
    ...job,
    id: findText(job.id) ?? '',
    object: 'fine_tuning.job',
    created_at: toEpochSeconds(job.created_at) ?? 0,
    error: textMembers(job.error),
    hyperparameters: readHyperparameters(job),
    model: findText(job.model) ?? '',
    organization_id: findText(job.organization_id) ?? '',
    result_files: toTexts(job.result_files),
    status,
    training_file: findText(job.training_file) ?? '',
    validation_file: findText(job.validation_file) ?? null,
    seed: readInteger(job.seed) ?? 0,
    ...toResults(job, status),
    ...optional(job, status),
  };
};

export const normalisedCheckpoint = (checkpoint: JsonObject): JsonObject => ({
  ...checkpoint,
  object: 'fine_tuning.job.checkpoint',
  created_at: toEpochSeconds(checkpoint.created_at) ?? 0,
  ...readTexts(checkpoint, ['id', 'fine_tuned_model_checkpoint', 'fine_tuning_job_id']),
  step_number: readCount(checkpoint.step_number),
  metrics: Object.fromEntries(
    Object.entries(findObject(checkpoint.metrics) ?? {}).filter(([, value]) => typeof value === 'number'),
  ),
});

export const normalisedEvent = (event: JsonObject): JsonObject => ({
  ...event,
  object: 'fine_tuning.job.event',
  created_at: toEpochSeconds(event.created_at) ?? 0,
  ...readTexts(event, ['id', 'level', 'message']),
});

const open = (schema: ParameterSchema): ParameterSchema => ({ ...schema, additionalProperties: true });

const whole = { type: 'integer' } as const;

export const jobSchema: ParameterSchema = open(
  titled(
    'FineTuningJob',
    objectSchema(
      {
        id: text,
        object: { const: 'fine_tuning.job' },
        created_at: seconds,
        error: open(objectSchema({}, { code: text, message: text, param: text })),
        fine_tuned_model: textOrNull,
        finished_at: orNull(seconds),
        hyperparameters: open(objectSchema({ n_epochs: { anyOf: [{ const: 'auto' }, whole] } })),
        model: text,
        organization_id: text,
        result_files: { type: 'array', items: text },
        status: { enum: jobStatuses },
        trained_tokens: orNull(whole),
        training_file: text,
        validation_file: textOrNull,
        seed: whole,
      },
      {
        integrations: orNull({ type: 'array', items: { type: 'object', additionalProperties: true } }),
        estimated_finish: orNull(seconds),
        metadata: metadataSchema,
        executor: { enum: ['native', 'mapped'], description: 'Whether the provider has this API itself.' },
      },
    ),
  ),
);

const number = { type: 'number' } as const;

const checkpointSchema: ParameterSchema = open(
  titled(
    'FineTuningCheckpoint',
    objectSchema({
      id: text,
      object: { const: 'fine_tuning.job.checkpoint' },
      created_at: seconds,
      fine_tuned_model_checkpoint: text,
      step_number: whole,
      metrics: open(
        objectSchema(
          {},
          {
            ...{ step: number, train_loss: number, train_mean_token_accuracy: number, valid_loss: number },
            ...{ valid_mean_token_accuracy: number, full_valid_loss: number, full_valid_mean_token_accuracy: number },
          },
        ),
      ),
      fine_tuning_job_id: text,
    }),
  ),
);

const eventSchema: ParameterSchema = open(
  titled(
    'FineTuningEvent',
    objectSchema({
      id: text,
      object: { const: 'fine_tuning.job.event' },
      created_at: seconds,
      level: text,
      message: text,
    }),
  ),
);

const listSchema = (items: ParameterSchema, more: { readonly [name: string]: ParameterSchema } = {}): ParameterSchema =>
  titled(
    `${items.title ?? ''}List`,
    objectSchema({ object: { const: 'list' }, data: { type: 'array', items }, has_more: { type: 'boolean' }, ...more }),
  );

export const jobsSchema: ParameterSchema = listSchema(jobSchema);
export const eventsSchema: ParameterSchema = listSchema(eventSchema);
export const checkpointsSchema: ParameterSchema = listSchema(checkpointSchema, {
  first_id: textOrNull,
  last_id: textOrNull,
});
