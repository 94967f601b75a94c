import type { FromSchema, ParameterSchema } from '../../../../sdk/parameters/from-schema.ts';
import { objectSchema, orNull, seconds, text, textOrNull, titled } from '../../../kernel/requests/replies.ts';
import { batchStatuses, timeNames } from './batch-members.ts';

const count = { type: 'integer' } as const;

const error = objectSchema({ code: text, message: text, param: textOrNull, line: orNull(count) });

const times = Object.fromEntries(timeNames.map((name) => [name, seconds]));

/** A batch, whoever runs it. */
export const batchSchema: ParameterSchema = titled(
  'Batch',
  objectSchema(
    {
      ...{ id: text, object: { const: 'batch' }, endpoint: text, input_file_id: text, completion_window: text },
      status: { type: 'string', enum: batchStatuses },
      created_at: seconds,
    },
    {
      errors: objectSchema({ object: { const: 'list' }, data: { type: 'array', items: error } }),
      ...{ output_file_id: text, error_file_id: text, ...times },
      request_counts: objectSchema({ total: count, completed: count, failed: count }),
      metadata: { type: 'object', additionalProperties: text },
      executor: { type: 'string', enum: ['native', 'mapped', 'managed'], description: 'Who runs the lines.' },
      usage: {
        ...objectSchema({
          ...{
            input_tokens: count,
            input_tokens_details: objectSchema({ cached_tokens: count }),
            output_tokens: count,
          },
          ...{ output_tokens_details: objectSchema({ reasoning_tokens: count }), total_tokens: count },
        }),
        description: 'The usage of the lines that have run.',
      },
      cost: { type: 'number', description: 'The cost of these lines in US dollars, as far as prices are known.' },
    },
  ),
);

export const batchListSchema: ParameterSchema = titled(
  'BatchList',
  objectSchema(
    { object: { const: 'list' }, data: { type: 'array', items: batchSchema }, has_more: { type: 'boolean' } },
    { first_id: text, last_id: text },
  ),
);

export const newBatchSchema = {
  type: 'object',
  required: ['input_file_id', 'endpoint', 'completion_window'],
  properties: {
    input_file_id: {
      type: 'string',
      minLength: 1,
      maxLength: 1024,
      description: 'A file of JSON lines: custom_id, method, url, body.',
    },
    endpoint: { type: 'string', enum: ['/v1/chat/completions', '/v1/completions', '/v1/embeddings'] },
    completion_window: {
      type: 'string',
      enum: ['immediate', '24h'],
      description:
        'immediate: the gateway sends the lines itself. 24h: the provider runs them, if it has batches; otherwise the gateway.',
    },
    metadata: {
      anyOf: [
        { type: 'object', additionalProperties: { type: 'string', maxLength: 512 }, maxProperties: 16 },
        { type: 'null' },
      ],
      description: 'At most 16 strings of at most 512 characters, with names of at most 64.',
    },
    output_expires_after: {
      type: 'object',
      required: ['anchor', 'seconds'],
      properties: {
        anchor: { const: 'created_at' },
        seconds: { type: 'integer', minimum: 3600, maximum: 2_592_000 },
      },
      description: 'How long the files with results are stored.',
    },
    model: {
      type: 'string',
      minLength: 1,
      maxLength: 512,
      description:
        'The model of a file that was uploaded to Cohere, which does not store it; other batches do not accept it.',
    },
    role_arn: {
      type: 'string',
      minLength: 1,
      maxLength: 2048,
      description:
        'The role with which Bedrock reads and writes the files of its batches; other providers do not accept it.',
    },
    gw_options: {
      type: 'object',
      properties: {
        'x-gw-config': {
          type: 'string',
          minLength: 1,
          maxLength: 255,
          description: 'The slug or id of a saved config.',
        },
        'x-gw-provider': { type: 'string', minLength: 1, maxLength: 255 },
        'x-gw-virtual-key': { type: 'string', minLength: 1, maxLength: 255 },
        'x-gw-metadata': {
          anyOf: [
            { type: 'string', maxLength: 10_000 },
            { type: 'object', additionalProperties: true },
          ],
        },
      },
      description: 'How the gateway sends the lines that it runs itself, instead of the headers of this request.',
    },
  },
} as const;

export type NewBatchBody = FromSchema<typeof newBatchSchema>;

export const listSchema = {
  type: 'object',
  properties: {
    after: { type: 'string', minLength: 1, maxLength: 512, description: 'The id after which the list begins.' },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 20,
      description: 'The maximum number of listed batches.',
    },
  },
} as const;

const longestName = 64;

/** Lists the metadata names that are too long. */
export const longNames = (metadata: NewBatchBody['metadata']): readonly string[] =>
  Object.keys(metadata ?? {}).filter((name) => [...name].length > longestName);
