import { sql } from 'kysely';
import type { PostedCharge } from '../limits/limits.ts';
import { pruneSteps } from '../store/prune-steps.ts';
import type { Store, Writing } from '../store/store.ts';
import { dayMs } from './write-labels.ts';

/** As long as the longest window of a policy, a year of 366 days. */
const longestWindowMs = 366 * dayMs;

/** Counters of windows that began so long ago, and were followed by others, are not asked for any more. */
const keptWindowsMs = 2 * dayMs;

/** Late postings of a day may come for so long. */
const keptLabelsMs = 3 * dayMs;

/** A limit is a safe integer: a counter that is beyond is full. */
const toAmount = (digits: string): number => {
  const amount = BigInt(digits);
  const largest = BigInt(Number.MAX_SAFE_INTEGER);
  if (amount > largest) return Number.MAX_SAFE_INTEGER;
  return Number(amount < -largest ? -largest : amount);
};

/**
 * The sum of each counter in the latest window that has begun, for an engine to start from, and in those that are yet to begin,
 * which a clock that was ahead has opened. The ledger does not know when windows end: where the policy's reset is in another
 * window by now, the counter is empty.
 */
export const counterSums = async ({ db }: Pick<Store, 'db'>, now: number): Promise<readonly PostedCharge[]> => {
  const rows = await db
    .selectFrom('counters')
    .select(['policy', 'bucket', 'unit', 'window_at', sql<string>`cast(amount as text)`.as('digits')])
    .where((is) => is.or([is('window_at', '=', 0), is('window_at', '>', now - longestWindowMs)]))
    .where((is) =>
      is.not(
        is.exists(
          is
            .selectFrom('counters as later')
            .select('later.counter')
            .whereRef('later.counter', '=', 'counters.counter')
            .whereRef('later.window_at', '>', 'counters.window_at')
            .where('later.window_at', '<=', now),
        ),
      ),
    )
    .execute();
  return rows.map(({ window_at, digits, ...row }) => ({ ...row, window: window_at, amount: toAmount(digits) }));
};

/** Rows that are deleted in one transaction, which others wait for. */
const step = 500;

/** Deletes some of what is old, and answers how many rows that were. */
const pruneStep = async (writing: Writing, { before, now }: PruneOptions): Promise<number> => {
  const old = writing.selectFrom('ledger').select('id').where('at', '<', before).orderBy('at').limit(step);
  const rows = await writing.deleteFrom('ledger').where('id', 'in', old).executeTakeFirst();
  const oldCharges = writing
    .selectFrom('ledger_charges')
    .select(['posting', 'number'])
    .where('at', '<', before)
    .orderBy('at')
    .limit(step);
  const charges = await writing
    .deleteFrom('ledger_charges')
    .where(({ refTuple }) => refTuple('posting', 'number'), 'in', oldCharges.$asTuple('posting', 'number'))
    .executeTakeFirst();
  const ended = writing
    .selectFrom('counters as ended')
    .select(['ended.counter', 'ended.window_at'])
    .where('ended.window_at', '<', now - keptWindowsMs)
    .where((is) =>
      is.exists(
        is
          .selectFrom('counters as later')
          .select('later.counter')
          .whereRef('later.counter', '=', 'ended.counter')
          .whereRef('later.window_at', '>', 'ended.window_at'),
      ),
    )
    .limit(step);
  const counters = await writing
    .deleteFrom('counters')
    .where(({ refTuple }) => refTuple('counter', 'window_at'), 'in', ended.$asTuple('counter', 'window_at'))
    .executeTakeFirst();
  let deleted = rows.numDeletedRows + charges.numDeletedRows + counters.numDeletedRows;
  for (const table of ['label_values', 'label_counts'] as const) {
    const days = writing
      .selectFrom(table)
      .select('id')
      .where('day', '<', now - keptLabelsMs)
      .limit(step);
    deleted += (await writing.deleteFrom(table).where('id', 'in', days).executeTakeFirst()).numDeletedRows;
  }
  return Number(deleted);
};

export interface PruneOptions {
  /** Rows of the ledger that are older are deleted; milliseconds since the epoch. */
  readonly before: number;
  readonly now: number;
}

/** Deletes what is old until `isOver` says so. Roll-ups stay. */
export const pruneLedger = (store: Pick<Store, 'write'>, options: PruneOptions, isOver: () => boolean): Promise<void> =>
  pruneSteps(() => store.write((writing) => pruneStep(writing, options)), isOver);
