import { createTables } from './create-tables.ts';
import type { Migration } from './migration.ts';

export const files: Migration = {
  number: 6,
  name: 'files',
  up: (db, kind) => createTables(db, kind, {}),
};
