import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { objectSchema, orNull, seconds, text, textOrNull, titled } from '../../kernel/requests/replies.ts';
import { metadataSchema } from './job/metadata-pairs.ts';
import { jobStatuses } from './job/normalised.ts';

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
        executor: { enum: ['native', 'mapped'], description: 'Whether the provider has this interface itself.' },
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
