import { createTables, type Migration } from './migrate.ts';

/** Adds the owners of the batches that providers run, and their usage. */
export const watchedBatches: Migration = {
  number: 11,
  name: 'watched-batches',
  up: (db, kind) =>
    createTables(db, kind, {
      watched_batches: {
        columns: {
          ...{ workspace_id: 'text', slug: 'text', remote_id: 'text', account: 'text', endpoint: 'text' },
          ...{ model: 'text?', organisation_id: 'text', key_id: 'text?', labels: 'text', caller: 'text' },
          ...{ state: 'text', input_tokens: 'integer', cached_tokens: 'integer', output_tokens: 'integer' },
          ...{ reasoning_tokens: 'integer', nano_usd: 'integer', created_at: 'integer' },
        },
        key: ['workspace_id', 'slug', 'remote_id'],
        references: { workspace_id: { table: 'workspaces', goesWith: true } },
      },
    }),
};
