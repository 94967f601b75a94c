import { createTables, type Migration } from './migrate.ts';

export const namedItems: Migration = {
  number: 14,
  name: 'named-items',
  up: (db, kind) =>
    createTables(db, kind, {
      named_items: {
        columns: {
          ...{ workspace_id: 'text', owner: 'text', id: 'text', created_at: 'integer', bytes: 'integer' },
          item: 'text',
        },
        key: ['workspace_id', 'id', 'owner'],
        references: { workspace_id: { table: 'workspaces', goesWith: true } },
        // The first has all that the sizes of workspaces are read from, and the oldest of each.
        indexes: [['workspace_id', 'created_at', 'bytes'], ['created_at']],
      },
    }),
};
