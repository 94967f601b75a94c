import type { Migration } from './migrate.ts';

/** Notes which of several keys something was created with, because each key may belong to a different account. */
export const keyAccounts: Migration = {
  number: 17,
  name: 'key-accounts',
  async up(db) {
    for (const table of ['remote_ids', 'responses'] as const)
      await db.schema.alterTable(table).addColumn('account', 'text').execute();
  },
};
