import { type Kysely, sql, type Transaction } from 'kysely';
import { retried } from './retried.ts';

/** Runs a transaction, perhaps more than once. */
export type Transact<Schema> = <Result>(run: (writing: Transaction<Schema>) => Promise<Result>) => Promise<Result>;

/**
 * Waits until no other transaction writes. All of them change `feeds`, so that one of many statements would otherwise begin
 * again whenever a shorter one ended, and be given up. This is not a query: what the transaction sees is as of its first one.
 */
const takeTurn = async <Schema>(writing: Transaction<Schema>): Promise<void> => {
  await sql`lock table feeds in share row exclusive mode`.execute(writing);
};

/** Writes beside others. What they have committed meanwhile, it sees. */
export const transactAtOnce =
  <Schema>(db: Kysely<Schema>): Transact<Schema> =>
  (run) =>
    db.transaction().setIsolationLevel('read committed').execute(run);

/** Writes one after another among all processes, as if no other ran beside it. */
export const transactIn =
  <Schema>(db: Kysely<Schema>, where: string): Transact<Schema> =>
  (run) =>
    retried(where, () =>
      db
        .transaction()
        .setIsolationLevel('serializable')
        .execute(async (writing) => {
          await takeTurn(writing);
          return run(writing);
        }),
    );
