import { sql } from 'kysely';
import { createTables, type Migration } from './migrate.ts';

/** Adds the records that folders of files have created. */
export const applies: Migration = {
  number: 18,
  name: 'applies',
  up: async (db, kind) => {
    await createTables(db, kind, {
      applies: {
        columns: {
          ...{ id: 'text', organisation_id: 'text', workspace_id: 'text?', slug: 'text', records: 'text' },
          ...{ created_at: 'integer', updated_at: 'integer' },
        },
        unique: [['workspace_id', 'slug']],
        references: {
          organisation_id: { table: 'organisations', goesWith: true },
          workspace_id: { table: 'workspaces', goesWith: true },
        },
        indexes: [['organisation_id']],
      },
    });
    await sql`create unique index applies_of_organisations on applies (organisation_id, slug) where workspace_id is null`.execute(
      db,
    );
  },
};
