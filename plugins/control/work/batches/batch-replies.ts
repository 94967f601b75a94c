import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { orNull, readRecord, seconds, text, textOrNull, titled } from '../../kernel/requests/replies.ts';

const count = { type: 'integer' } as const;

const error = readRecord({ code: text, message: text, param: textOrNull, line: orNull(count) });

const times = Object.fromEntries(
  [
    ...['in_progress_at', 'finalizing_at', 'completed_at', 'failed_at', 'expires_at', 'expired_at'],
    ...['cancelling_at', 'cancelled_at'],
  ].map((name) => [name, seconds]),
);

/** A batch, whoever runs it. */
export const batchSchema: ParameterSchema = titled(
  'Batch',
  readRecord(
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
      errors: readRecord({ object: { const: 'list' }, data: { type: 'array', items: error } }),
      ...{ output_file_id: text, error_file_id: text, ...times },
      request_counts: readRecord({ total: count, completed: count, failed: count }),
      metadata: { type: 'object', additionalProperties: text },
      executor: { type: 'string', enum: ['native', 'mapped', 'managed'], description: 'Who runs the lines.' },
      usage: {
        ...readRecord({
          ...{ input_tokens: count, input_tokens_details: readRecord({ cached_tokens: count }), output_tokens: count },
          ...{ output_tokens_details: readRecord({ reasoning_tokens: count }), total_tokens: count },
        }),
        description: 'What the lines that have run used.',
      },
      cost: { type: 'number', description: 'What they cost, in US dollars, as far as prices are known.' },
    },
  ),
);

export const batchListSchema: ParameterSchema = titled(
  'BatchList',
  readRecord(
    { object: { const: 'list' }, data: { type: 'array', items: batchSchema }, has_more: { type: 'boolean' } },
    { first_id: text, last_id: text },
  ),
);
