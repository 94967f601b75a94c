import { createTables, type Migration } from './migrate.ts';

/** Adds the batches that providers run in a form of their own, with what these do not store. */
export const providerBatches: Migration = {
  number: 10,
  name: 'provider-batches',
  up: (db, kind) =>
    createTables(db, kind, {
      provider_batches: {
        columns: {
          ...{ workspace_id: 'text', remote_id: 'text', input_file_id: 'text', endpoint: 'text' },
          ...{ completion_window: 'text', metadata: 'text?', is_collected: 'integer' },
          ...{ output_file_id: 'text?', error_file_id: 'text?', created_at: 'integer' },
        },
        key: ['workspace_id', 'remote_id'],
        references: { workspace_id: { table: 'workspaces', goesWith: true } },
      },
    }),
};
