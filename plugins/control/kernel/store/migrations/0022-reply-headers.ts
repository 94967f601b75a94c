import type { Migration } from './migrate.ts';

/**
 * Stores the headers of a reply to an `idempotency-key`. An older process that serves PostgreSQL at the same time stores none.
 */
export const replyHeaders: Migration = {
  number: 22,
  name: 'reply-headers',
  async up(db) {
    await db.schema.alterTable('idempotency').addColumn('headers', 'text').execute();
  },
};
