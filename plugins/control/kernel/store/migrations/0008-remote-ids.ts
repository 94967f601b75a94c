import { createTables, type Migration } from './migrate.ts';

export const remoteIds: Migration = {
  number: 8,
  name: 'remote-ids',
  up: (db, kind) =>
    createTables(db, kind, {
      remote_ids: {
        columns: {
          ...{ workspace_id: 'text', kind: 'text', remote_id: 'text', slug: 'text', uses: 'text?' },
          ...{ created_by: 'text?', created_at: 'integer' },
        },
        key: ['workspace_id', 'kind', 'remote_id'],
        references: { workspace_id: { table: 'workspaces', goesWith: true } },
        indexes: [['workspace_id', 'kind', 'slug', 'created_at']],
      },
    }),
};
