import type { Migration } from './migrate.ts';

/** Adds the TLS settings of what is called. */
export const destinationTls: Migration = {
  number: 19,
  name: 'destination-tls',
  async up(db) {
    for (const table of ['providers', 'integrations'] as const)
      await db.schema.alterTable(table).addColumn('tls', 'text').execute();
  },
};
