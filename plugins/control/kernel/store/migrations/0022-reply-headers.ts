import type { Migration } from './migrate.ts';

/** A reply to an `idempotency-key` is kept with its headers. An older process that serves PostgreSQL meanwhile keeps none. */
export const replyHeaders: Migration = {
  number: 22,
  name: 'reply-headers',
  async up(db) {
    await db.schema.alterTable('idempotency').addColumn('headers', 'text').execute();
  },
};
