import { sql } from 'kysely';
import { createTables, type Migration } from './migrate.ts';

export const batches: Migration = {
  number: 7,
  name: 'batches',
  async up(db, kind) {
    await createTables(db, kind, {
      jobs: {
        columns: {
          ...{ kind: 'text', id: 'text', workspace_id: 'text', payload: 'text' },
          ...{ due_at: 'integer', fence: 'integer', is_held: 'integer', failures: 'integer', created_at: 'integer' },
        },
        key: ['kind', 'id'],
        references: { workspace_id: { table: 'workspaces', goesWith: true } },
        indexes: [['kind', 'due_at']],
      },
      batches: {
        columns: {
          ...{ id: 'text', workspace_id: 'text', slug: 'text', endpoint: 'text', completion_window: 'text' },
          ...{
            input_file_id: 'text',
            status: 'text',
            ending: 'text?',
            metadata: 'text?',
            plan: 'text',
            creator: 'text',
          },
          ...{ errors: 'text?', keep_ms: 'integer?', output_file_id: 'text?', error_file_id: 'text?' },
          ...{ total: 'integer', completed: 'integer', failed: 'integer', parts: 'integer', lanes_left: 'integer' },
          ...{ input_tokens: 'integer', cached_tokens: 'integer', output_tokens: 'integer' },
          ...{ reasoning_tokens: 'integer', nano_usd: 'integer', created_at: 'integer', expires_at: 'integer' },
          ...{ in_progress_at: 'integer?', finalizing_at: 'integer?', completed_at: 'integer?', failed_at: 'integer?' },
          ...{ expired_at: 'integer?', cancelling_at: 'integer?', cancelled_at: 'integer?' },
        },
        references: { workspace_id: { table: 'workspaces', goesWith: true } },
        indexes: [
          ['workspace_id', 'slug', 'id'],
          ['workspace_id', 'input_file_id'],
        ],
      },
      batch_parts: {
        columns: {
          ...{ batch_id: 'text', number: 'integer', from_byte: 'integer', to_byte: 'integer' },
          ...{ first_line: 'integer', lines: 'integer', result: 'text?' },
        },
        key: ['batch_id', 'number'],
        references: { batch_id: { table: 'batches', goesWith: true } },
        isClustered: true,
      },
    });
    await sql`insert into feeds (name, version) values ('jobs', 0)`.execute(db);
  },
};
