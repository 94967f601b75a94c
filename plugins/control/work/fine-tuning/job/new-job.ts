import type { InputProblem } from '../../../../../schema/errors/input-problem.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../../schema/json/json.ts';
import { findText, toObjects } from '../../../../../schema/json/loose.ts';
import { toPointer } from '../../../../../schema/json/pointer.ts';
import type { ParameterSchema } from '../../../../sdk/parameters/from-schema.ts';

const longestKey = 64;

/** Pairs that a client attaches to a job: at most 16, with keys of at most 64 characters and values of at most 512. */
export const metadataSchema: ParameterSchema = {
  anyOf: [
    { type: 'object', maxProperties: 16, additionalProperties: { type: 'string', maxLength: 512 } },
    { type: 'null' },
  ],
  description: 'At most 16 pairs: keys of at most 64 characters, values of at most 512.',
};

/** Finds errors in metadata that its schema cannot express. */
const metadataProblems = (metadata: Json | undefined): readonly InputProblem[] =>
  Object.keys(isJsonObject(metadata) ? metadata : {})
    .filter((key) => [...key].length > longestKey)
    .map((key) => ({
      pointer: toPointer(['metadata', key]),
      message: `A key of "metadata" is longer than ${longestKey} characters.`,
      hint: 'Shorten it.',
    }));

const text = (maxLength: number, description: string) =>
  ({ type: 'string', minLength: 1, maxLength, description }) as const;

const orAuto = (schema: ParameterSchema): ParameterSchema => ({ anyOf: [{ const: 'auto' }, schema] });
const positive: ParameterSchema = orAuto({ type: 'number', minimum: 0 });
const count: ParameterSchema = orAuto({ type: 'integer', minimum: 1 });

const supervised = { n_epochs: count, batch_size: count, learning_rate_multiplier: positive };

const hyperparametersSchema = (properties: { readonly [name: string]: ParameterSchema }): ParameterSchema => ({
  type: 'object',
  properties: { ...properties, learning_rate: { type: 'number', minimum: 0 } },
});

const toMethod = (hyperparameters: { readonly [name: string]: ParameterSchema }): ParameterSchema => ({
  type: 'object',
  properties: { hyperparameters: hyperparametersSchema(hyperparameters) },
});

const reinforcement = {
  ...supervised,
  compute_multiplier: positive,
  eval_interval: count,
  eval_samples: count,
  reasoning_effort: { enum: ['default', 'low', 'medium', 'high'] },
} as const;

const methodTypes = ['supervised', 'dpo', 'reinforcement'] as const;
export type MethodType = (typeof methodTypes)[number];

/** https://platform.openai.com/docs/api-reference/fine-tuning/create */
const methodSchema: ParameterSchema = {
  type: 'object',
  required: ['type'],
  properties: {
    type: { enum: methodTypes },
    supervised: toMethod(supervised),
    dpo: toMethod({ ...supervised, beta: positive }),
    reinforcement: {
      type: 'object',
      required: ['grader'],
      properties: {
        grader: { type: 'object', additionalProperties: true },
        hyperparameters: hyperparametersSchema(reinforcement),
      },
    },
  },
};

const service: ParameterSchema = {
  type: 'object',
  properties: {
    project: { type: 'string' },
    name: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    entity: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    tags: { type: 'array', items: { type: 'string' } },
  },
};

const integrations: ParameterSchema = {
  anyOf: [
    {
      type: 'array',
      maxItems: 5,
      items: {
        type: 'object',
        required: ['type'],
        properties: { type: text(64, 'Names the member with the settings.') },
        additionalProperties: service,
      },
    },
    { type: 'null' },
  ],
};

/** The body that creates a job, in OpenAI's form. */
export interface NewJob {
  readonly model: string;
  readonly training_file: string;
  readonly suffix: string;
  readonly method: JsonObject & { readonly type: MethodType };
  readonly validation_file?: string | null;
  readonly hyperparameters?: JsonObject;
  readonly integrations?: readonly JsonObject[] | null;
  readonly metadata?: JsonObject | null;
  readonly seed?: number | null;
  readonly role_arn?: string;
}

export const newJobSchema: ParameterSchema = {
  type: 'object',
  required: ['model', 'training_file', 'suffix', 'method'],
  properties: {
    model: text(512, 'The base model, as the provider names it.'),
    training_file: text(1024, 'The id of a file of the gateway, or of one at the provider.'),
    suffix: text(64, 'A suffix for the name of the resulting model.'),
    method: methodSchema,
    validation_file: { anyOf: [text(1024, 'The id of the validation file, likewise.'), { type: 'null' }] },
    hyperparameters: hyperparametersSchema(supervised),
    integrations,
    metadata: metadataSchema,
    seed: { anyOf: [{ type: 'integer', minimum: 0, maximum: 2_147_483_647 }, { type: 'null' }] },
    role_arn: text(
      2048,
      'The role with which Bedrock reads and writes files, unless the saved provider names one; other providers do not accept it.',
    ),
  },
};

const methodProblems = ({ method }: NewJob): readonly InputProblem[] => [
  ...methodTypes
    .filter((type) => type !== method.type && Object.hasOwn(method, type))
    .map((type) => ({
      pointer: toPointer(['method', type]),
      message: `A method of the type "${method.type}" has no member "method.${type}".`,
      hint: `Remove it, or set "method.type" to "${type}".`,
    })),
  ...(method.type === 'reinforcement' && method.reinforcement === undefined
    ? [
        {
          pointer: toPointer(['method', 'reinforcement']),
          message: '"method.reinforcement" is missing.',
          hint: 'Add it, with the grader that judges the answers of the model.',
        },
      ]
    : []),
];

const integrationProblems = (given: Json | undefined): readonly InputProblem[] =>
  toObjects(given).flatMap((integration, at) => {
    const type = findText(integration.type) ?? '';
    return Object.hasOwn(integration, type) && type !== 'type'
      ? []
      : [
          {
            pointer: toPointer(['integrations', at, type]),
            message: `"integrations.${at}" has no member "${type}", which its type requires.`,
            hint: 'Add it: an object with the settings of that service.',
          },
        ];
  });

/** Finds errors in a job that its schema cannot express. */
export const newJobProblems = (body: NewJob): readonly InputProblem[] => [
  ...methodProblems(body),
  ...integrationProblems(body.integrations ?? undefined),
  ...metadataProblems(body.metadata),
];
