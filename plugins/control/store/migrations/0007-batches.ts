import { createTables } from './create-tables.ts';
import type { Migration } from './migration.ts';

export const batches: Migration = {
  number: 7,
  name: 'batches',
  up: (db, kind) => createTables(db, kind, {}),
};
