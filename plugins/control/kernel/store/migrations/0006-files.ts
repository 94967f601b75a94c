import { createTables, type Migration } from './migrate.ts';

/** Adds files; a sweep removes what `blobs` has of deleted workspaces, with the bytes. */
export const files: Migration = {
  number: 6,
  name: 'files',
  up: (db, kind) =>
    createTables(db, kind, {
      blobs: {
        columns: { id: 'text', tenant: 'text', state: 'text', since: 'integer' },
        indexes: [['state', 'since'], ['tenant']],
      },
      files: {
        columns: {
          ...{ id: 'text', workspace_id: 'text', purpose: 'text', filename: 'text', bytes: 'integer', state: 'text' },
          ...{ blob_id: 'text?', blob_key: 'text?', sha256: 'text?', created_by: 'text?', created_at: 'integer' },
          expires_at: 'integer?',
        },
        references: { workspace_id: { table: 'workspaces', goesWith: true } },
        indexes: [['workspace_id', 'bytes'], ['workspace_id', 'id'], ['state', 'created_at'], ['expires_at']],
      },
    }),
};
