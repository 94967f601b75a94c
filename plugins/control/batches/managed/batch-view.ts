import type { JsonObject } from '../../../../schema/json.ts';
import { parseObject } from '../../../../schema/parse-json.ts';
import { toSeconds } from '../../saved/to-seconds.ts';
import type { BatchRow } from '../../store/tables.ts';
import { nanosPerDollar } from './lines/used.ts';

const times = [
  ...['in_progress_at', 'finalizing_at', 'completed_at', 'failed_at', 'expires_at', 'expired_at'],
  ...['cancelling_at', 'cancelled_at'],
] as (keyof BatchRow & `${string}_at`)[];

const usageOf = (row: BatchRow): JsonObject => ({
  input_tokens: row.input_tokens,
  input_tokens_details: { cached_tokens: row.cached_tokens },
  output_tokens: row.output_tokens,
  output_tokens_details: { reasoning_tokens: row.reasoning_tokens },
  total_tokens: row.input_tokens + row.output_tokens,
});

/** A batch as it is on the wire. What is not known of it yet is absent. */
export const toBatchView = (row: BatchRow): JsonObject => ({
  id: row.id,
  object: 'batch',
  endpoint: row.endpoint,
  ...(row.errors === null ? {} : { errors: { object: 'list', data: JSON.parse(row.errors) } }),
  input_file_id: row.input_file_id,
  completion_window: row.completion_window,
  status: row.status,
  ...(row.output_file_id === null ? {} : { output_file_id: row.output_file_id }),
  ...(row.error_file_id === null ? {} : { error_file_id: row.error_file_id }),
  created_at: toSeconds(row.created_at),
  ...Object.fromEntries(times.flatMap((name) => (row[name] === null ? [] : [[name, toSeconds(row[name])]]))),
  request_counts: { total: row.total, completed: row.completed, failed: row.failed },
  ...(row.metadata === null ? {} : { metadata: parseObject(row.metadata) ?? {} }),
  executor: 'managed',
  usage: usageOf(row),
  cost: row.nano_usd / nanosPerDollar,
});
