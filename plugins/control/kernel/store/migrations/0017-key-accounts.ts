import type { Migration } from './migrate.ts';

/** Notes with which of several keys something was made: each may be of an account of its own. */
export const keyAccounts: Migration = {
  number: 17,
  name: 'key-accounts',
  async up(db) {
    for (const table of ['remote_ids', 'responses'] as const)
      await db.schema.alterTable(table).addColumn('account', 'text').execute();
  },
};
