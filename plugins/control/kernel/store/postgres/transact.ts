import { setTimeout } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import { StoreError } from '../store.ts';
import { findSqlState } from './pg-error.ts';

/** serialization_failure and deadlock_detected: another transaction got in the way, though writes take turns, and the same one may succeed next time. */
const inTheWay: readonly (string | undefined)[] = ['40001', '40P01'];

/** The longest of the random pauses before each further try, in milliseconds. */
const pauses: readonly number[] = [10, 30, 90, 270, 810];

/**
 * Runs a transaction, and again where others got in its way, at most five times.
 *
 * @throws StoreError if they still do
 */
const retried = async <Result>(where: string, run: () => Promise<Result>): Promise<Result> => {
  for (let tries = 0; ; tries += 1)
    try {
      return await run();
    } catch (cause) {
      if (!inTheWay.includes(findSqlState(cause))) throw cause;
      const pause = pauses[tries];
      if (pause === undefined)
        throw new StoreError(`Too many processes write the same of the store ${where} at once. Try again.`, { cause });
      await setTimeout(Math.random() * pause);
    }
};

/** Runs a transaction, perhaps more than once. */
export type Transact<Schema> = <Result>(run: (writing: Transaction<Schema>) => Promise<Result>) => Promise<Result>;

/**
 * Waits until no other transaction writes. All of them change `feeds`, so that one of many statements would otherwise begin
 * again whenever a shorter one ended, and be given up. This is not a query: what the transaction sees is as of its first one.
 */
const takeTurn = sql`lock table feeds in share row exclusive mode`;

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
          await takeTurn.execute(writing);
          return run(writing);
        }),
    );
