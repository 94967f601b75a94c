import { createTables, type Migration } from './migrate.ts';

/** Adds the names that the clients of a workspace write as their model. */
export const virtualModels: Migration = {
  number: 16,
  name: 'virtual-models',
  up: (db, kind) =>
    createTables(db, kind, {
      virtual_models: {
        columns: {
          ...{ id: 'text', workspace_id: 'text', name: 'text', target: 'text' },
          ...{ created_at: 'integer', updated_at: 'integer' },
        },
        unique: [['workspace_id', 'name']],
        references: { workspace_id: { table: 'workspaces', goesWith: true } },
      },
    }),
};
