import { sql } from 'kysely';
import { createTables } from './create-tables.ts';
import type { Migration } from './migration.ts';

export const batches: Migration = {
  number: 7,
  name: 'batches',
  async up(db, kind) {
    await createTables(db, kind, {
      jobs: {
        columns: {
          ...{ kind: 'text', id: 'text', workspace_id: 'text', payload: 'text' },
          ...{ due_at: 'integer', fence: 'integer', failures: 'integer', created_at: 'integer' },
        },
        key: ['kind', 'id'],
        references: { workspace_id: { table: 'workspaces', goesWith: true } },
        indexes: [['kind', 'due_at']],
      },
    });
    await sql`insert into feeds (name, version) values ('jobs', 0)`.execute(db);
  },
};
