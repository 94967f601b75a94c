import { createTables } from '../../kernel/store/migrations/create-tables.ts';
import type { Migration } from '../../kernel/store/migrations/migration.ts';
import type { LogTables } from './log-columns.ts';
import { shortRecords } from './short-records.ts';

const records: Migration<LogTables> = {
  number: 1,
  name: 'records',
  up: (db, kind) =>
    createTables(db, kind, {
      // Each index ends with the id, in whose order records are listed.
      log_records: {
        columns: {
          ...{ workspace_id: 'text', id: 'text', organisation_id: 'text', created_at: 'integer', trace_id: 'text' },
          ...{ key_id: 'text?', config: 'text?', plan: 'text?', method: 'text', path: 'text', operation: 'text' },
          ...{ leaf: 'text?', prompt: 'text?', target: 'text?', provider: 'text?', slug: 'text?' },
          ...{ requested_model: 'text?', model: 'text?', status: 'integer', cause: 'text?', ending: 'text' },
          ...{
            is_success: 'integer',
            micros: 'integer',
            attempts: 'integer',
            retries: 'integer',
            fell_back: 'integer',
          },
          ...{ balanced: 'integer', input_tokens: 'integer', output_tokens: 'integer', cost: 'integer' },
          ...{ cache_status: 'text?', source: 'text', metadata: 'text', bytes: 'integer' },
        },
        key: ['workspace_id', 'id'],
        indexes: ['trace_id', 'key_id', 'model', 'status'].map((column) => ['workspace_id', column, 'id']),
        isClustered: true,
      },
      log_details: { columns: { id: 'text', workspace_id: 'text', detail: 'text', bodies: 'text?' } },
      log_labels: {
        columns: { workspace_id: 'text', name: 'text', value: 'text', id: 'text' },
        key: ['workspace_id', 'name', 'value', 'id'],
        isClustered: true,
      },
      log_hours: {
        columns: {
          ...{ workspace_id: 'text', hour: 'integer', key_id: 'text', config: 'text', prompt: 'text' },
          ...{ provider: 'text', model: 'text', status: 'integer', requests: 'integer', errors: 'integer' },
          ...{ micros: 'integer', most_micros: 'integer', input_tokens: 'integer', output_tokens: 'integer' },
          ...{ cost: 'integer', cache_hits: 'integer', cache_misses: 'integer' },
        },
        key: ['workspace_id', 'hour', 'key_id', 'config', 'prompt', 'provider', 'model', 'status'],
        indexes: [['hour']],
        isClustered: true,
      },
      log_feedback: {
        columns: {
          ...{ id: 'text', workspace_id: 'text', trace_id: 'text', value: 'integer', weight: 'integer' },
          ...{ metadata: 'text', key_id: 'text?', created_at: 'integer', updated_at: 'integer' },
        },
        indexes: [['workspace_id', 'trace_id'], ['created_at']],
      },
      log_totals: { columns: { name: 'text', value: 'integer' }, key: ['name'] },
    }),
};

/** All migrations of the log, in their order. They are apart from those of the store, also in a database that has both. */
export const logMigrations: readonly Migration<LogTables>[] = [records, shortRecords];
