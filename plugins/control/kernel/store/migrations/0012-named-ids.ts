import type { Migration } from './migrate.ts';

/** Ids of providers are looked up by themselves, whoever's they are. */
export const namedIds: Migration = {
  number: 12,
  name: 'named-ids',
  up: (db) => db.schema.createIndex('remote_ids_by_remote_id').on('remote_ids').column('remote_id').execute(),
};
