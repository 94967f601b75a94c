import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { objectSchema, orNull, seconds, text, textOrNull, titled } from '../../kernel/requests/replies.ts';

const count = { type: 'integer' } as const;

const error = objectSchema({ code: text, message: text, param: textOrNull, line: orNull(count) });

const times = Object.fromEntries(
  [
    ...['in_progress_at', 'finalizing_at', 'completed_at', 'failed_at', 'expires_at', 'expired_at'],
    ...['cancelling_at', 'cancelled_at'],
  ].map((name) => [name, seconds]),
);

/** A batch, whoever runs it. */
export const batchSchema: ParameterSchema = titled(
  'Batch',
  objectSchema(
    {
      ...{ id: text, object: { const: 'batch' }, endpoint: text, input_file_id: text, completion_window: text },
      status: {
        type: 'string',
        enum: [
          ...['validating', 'failed', 'in_progress', 'finalizing', 'completed', 'expired', 'cancelling', 'cancelled'],
        ],
      },
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
        description: 'What the lines that have run used.',
      },
      cost: { type: 'number', description: 'What they cost, in US dollars, as far as prices are known.' },
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
