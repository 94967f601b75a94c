import { createTables, type Migration } from './migrate.ts';

export const responses: Migration = {
  number: 9,
  name: 'responses',
  up: (db, kind) =>
    createTables(db, kind, {
      responses: {
        columns: {
          ...{ workspace_id: 'text', id: 'text', previous_id: 'text?', slug: 'text?', scope: 'text?' },
          ...{ is_native: 'integer', status: 'text', bytes: 'integer', response: 'text', input: 'text' },
          request: 'text?',
          ...{ created_by: 'text?', created_at: 'integer', expires_at: 'integer' },
        },
        key: ['workspace_id', 'id'],
        references: { workspace_id: { table: 'workspaces', goesWith: true } },
        indexes: [['id'], ['expires_at']],
      },
      response_events: {
        columns: { workspace_id: 'text', response_id: 'text', number: 'integer', following: 'integer', events: 'text' },
        key: ['workspace_id', 'response_id', 'number'],
        references: { workspace_id: { table: 'workspaces', goesWith: true } },
      },
    }),
};
