import type { Migration } from './migrate.ts';

/** The jobs of each tenant are looked up by themselves, however many others have. */
export const fairJobs: Migration = {
  number: 13,
  name: 'fair-jobs',
  up: (db) =>
    db.schema
      .createIndex('jobs_by_kind_workspace_id_due_at')
      .on('jobs')
      .columns(['kind', 'workspace_id', 'due_at'])
      .execute(),
};
