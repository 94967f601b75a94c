import { createTables } from './create-tables.ts';
import type { Migration } from './migration.ts';

export const responses: Migration = {
  number: 9,
  name: 'responses',
  up: (db, kind) => createTables(db, kind, {}),
};
