import { fromJson } from '../../../../../../schema/json/from-json.ts';
import type { JsonObject } from '../../../../../../schema/json/json.ts';
import { toSeconds } from '../../../../kernel/requests/to-seconds.ts';
import type { BatchRow } from '../../../../kernel/store/tables/tables.ts';
import { usageView } from './usage-view.ts';

const times = [
  ...['in_progress_at', 'finalizing_at', 'completed_at', 'failed_at', 'expires_at', 'expired_at'],
  ...['cancelling_at', 'cancelled_at'],
] as (keyof BatchRow & `${string}_at`)[];

/** A batch as it is on the wire, with its metadata, which is sealed in its row. What is not known of it yet is absent. */
export const toBatchView = (row: BatchRow, metadata: JsonObject | undefined): JsonObject => ({
  id: row.id,
  object: 'batch',
  endpoint: row.endpoint,
  ...(row.errors === null ? {} : { errors: { object: 'list', data: fromJson(row.errors) } }),
  input_file_id: row.input_file_id,
  completion_window: row.completion_window,
  status: row.status,
  ...(row.output_file_id === null ? {} : { output_file_id: row.output_file_id }),
  ...(row.error_file_id === null ? {} : { error_file_id: row.error_file_id }),
  created_at: toSeconds(row.created_at),
  ...Object.fromEntries(times.flatMap((name) => (row[name] === null ? [] : [[name, toSeconds(row[name])]]))),
  request_counts: { total: row.total, completed: row.completed, failed: row.failed },
  ...(metadata === undefined ? {} : { metadata }),
  executor: 'managed',
  ...usageView(row),
});
