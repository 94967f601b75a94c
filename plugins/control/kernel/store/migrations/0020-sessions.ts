import { createTables, type Migration } from './migrate.ts';

/** Adds the sessions of the console. */
export const sessions: Migration = {
  number: 20,
  name: 'sessions',
  up: (db, kind) =>
    createTables(db, kind, {
      sessions: {
        columns: {
          ...{ id: 'text', key_id: 'text', key_hash: 'text' },
          ...{ created_at: 'integer', expires_at: 'integer', ended_at: 'integer?', updated_at: 'integer' },
        },
        references: { key_id: { table: 'keys', goesWith: true } },
        indexes: [['key_id'], ['updated_at'], ['expires_at']],
      },
    }),
};
