import { type RawBuilder, sql } from 'kysely';
import { dayMs, startOfDay } from '../../../../schema/durations.ts';
import { pruneSteps } from '../../kernel/jobs/prune-hourly.ts';
import type { Store, Writing } from '../../kernel/store/store.ts';
import type { Tables } from '../../kernel/store/tables.ts';
import type { PostedCharge } from './posting.ts';

/** The length of the longest window of a policy, a year of 366 days. */
const longestWindowMs = 366 * dayMs;

/** Returns the time of the oldest stored attempt, in milliseconds since the epoch; undefined if there is none. */
export const firstAttemptAt = async ({ db }: Pick<Store, 'db'>): Promise<number | undefined> => {
  const earlier = await db.selectFrom('ledger_before').select('at').orderBy('at').limit(1).executeTakeFirst();
  const first = db.selectFrom('ledger_postings').select('at').where('facts', 'is not', null).orderBy('number').limit(1);
  return (earlier ?? (await first.executeTakeFirst()))?.at;
};

/** Converts digits to an amount. Limits are safe integers, so a counter with a larger amount is full. */
const toAmount = (digits: string): number =>
  Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number(digits), Number.MAX_SAFE_INTEGER));

/**
 * Writes starts of windows as a list in SQL. They are whole numbers, and there may be more of them than a statement can have
 * parameters.
 */
const listed = (windows: readonly number[]): RawBuilder<unknown> =>
  windows.length === 0 ? sql`null` : sql.raw(windows.map((window) => Math.trunc(window)).join(', '));

/**
 * Returns the sum of each counter that an engine starts from: in its latest window that has begun; in windows that have not begun
 * yet, which a clock that was ahead has opened; and in `windows`, the current windows of limits, even if a later one has begun
 * because a period was changed. The ledger does not know when windows end: if the policy is in another window by now, its counter
 * is empty.
 */
export const counterSums = async (
  { db }: Pick<Store, 'db'>,
  now: number,
  windows: readonly number[] = [],
): Promise<readonly PostedCharge[]> => {
  const rows = await db
    .selectFrom('counters')
    .select(['policy', 'bucket', 'unit', 'window_at', sql<string>`cast(amount as text)`.as('digits')])
    .where((is) => is.or([is('window_at', '=', 0), is('window_at', '>', now - longestWindowMs)]))
    .where((is) =>
      is.or([
        sql<boolean>`window_at in (${listed(windows)})`,
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
      ]),
    )
    .execute();
  return rows.map(({ window_at, digits, ...row }) => ({ ...row, window: window_at, amount: toAmount(digits) }));
};

/** Counters of windows that began this long ago, and were followed by others, are no longer read. */
const keptWindowsMs = 2 * dayMs;

/** Reports cover the last year, and a margin for comparing it. */
const keptSumsMs = 400 * dayMs;

/** How long late postings of a day may arrive. */
const keptLabelsMs = 3 * dayMs;

/** How many rows are deleted in one transaction, because others wait for it. */
const step = 500;

/** How many of the first postings are searched for old ones. Their numbers, and roughly their times, are in the same order. */
const lookedThrough = 10_000;

/** The bytes of a posting besides its texts, and in the index of ids. */
const otherBytes = 40;

export interface PruneOptions {
  /** Postings that are older are deleted, in milliseconds since the epoch. */
  readonly before: number;
  readonly now: number;
  /** When the current windows of limits began. Their counters stay. */
  readonly windows?: readonly number[];
  /** The maximum bytes of postings. The oldest ones beyond it are deleted. No limit if absent. */
  readonly maxBytes?: number | undefined;
}

/** Rows to delete, by their key: a condition, and an order if it matters which rows are deleted first. */
interface OldRows {
  readonly table: keyof Tables;
  readonly key: readonly string[];
  readonly where: RawBuilder<unknown>;
}

/** Deletes some of the old rows, and returns how many. */
const deleteSome = async (writing: Writing, { table, key, where }: OldRows): Promise<bigint> => {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  const some = sql`select ${columns} from ${sql.table(table)} where ${where} limit ${step}`;
  const deleted = await sql`delete from ${sql.table(table)} where (${columns}) in (${some})`.execute(writing);
  return deleted.numAffectedRows ?? 0n;
};

/**
 * Deletes the oldest postings beyond the maximum bytes. The numbers of the first and the last one determine how many there are.
 */
const pruneBySize = async (writing: Writing, first: number, maxBytes: number): Promise<bigint> => {
  const { rows } = await sql<{
    readonly number: number;
    readonly bytes: number;
  }>`select max(number) as number, cast(avg(
      2 * length(id) + coalesce(length(trace), 0) + coalesce(length(charges), 0) + coalesce(length(corrects), 0)
    ) as bigint) as bytes from (select * from ledger_postings order by number desc limit 1000) as latest`.execute(
    writing,
  );
  const { number: last = 0, bytes = 0 } = rows[0] ?? {};
  const excess = last - first + 1 - Math.floor(maxBytes / (bytes + otherBytes));
  if (excess <= 0) return 0n;
  const beyond = first + Math.min(excess, step);
  return (await writing.deleteFrom('ledger_postings').where('number', '<', beyond).executeTakeFirst()).numDeletedRows;
};

const prunePostings = async (
  writing: Writing,
  { before, maxBytes = Number.POSITIVE_INFINITY }: PruneOptions,
): Promise<bigint> => {
  const first = await writing
    .selectFrom('ledger_postings')
    .select('number')
    .orderBy('number')
    .limit(1)
    .executeTakeFirst();
  if (first === undefined) return 0n;
  const where = sql`number < ${first.number + lookedThrough} and at < ${before} order by number`;
  const old = await deleteSome(writing, { table: 'ledger_postings', key: ['number'], where });
  return old + (await pruneBySize(writing, first.number, maxBytes));
};

/** The length of an id, with which the ids of a record's own limits begin. */
const idLength = 36;

/** The tables of records that have limits of their own. A counter of any other record would be deleted. */
export const limitedTables = ['keys', 'workspaces', 'providers', 'integrations'] as const;

/**
 * Whether the policy of a counter is gone: it was archived before a time, or the record whose own limit it was does not exist any
 * more. No such id is used again. The counter is visible only if its policy was saved before it, so a new policy is never missed.
 */
const isPolicyGone = (archivedBefore: number): RawBuilder<unknown> => {
  const noRecord = limitedTables.map(
    (table) =>
      sql`not exists (select 1 from ${sql.table(table)} as record where record.id = substr(counters.policy, 1, ${sql.lit(idLength)}))`,
  );
  return sql`not exists (select 1 from policies where policies.id = counters.policy
    and (policies.status <> 'archived' or policies.updated_at >= ${archivedBefore})) and ${sql.join(noRecord, sql` and `)}`;
};

/** Lists the old rows of other tables. */
const oldRows = ({ before, now, windows = [] }: PruneOptions): readonly OldRows[] => {
  const day = now - keptLabelsMs;
  // Labels have the sums of whole days, so the hours of a day are deleted together too.
  const sums = startOfDay(now - keptSumsMs);
  return [
    // Names whose postings are all old, in a fixed order, so that caches know which names may have been deleted.
    { table: 'ledger_names', key: ['number'], where: sql`day < ${before - dayMs} order by day, number` },
    // Rows that an earlier version has written.
    { table: 'ledger_before', key: ['id'], where: sql`at < ${before} order by at` },
    { table: 'ledger_charges_before', key: ['posting', 'number'], where: sql`at < ${before} order by at` },
    // The latest window that has begun, and windows that have not ended, stay. Windows that ended before are no longer read.
    {
      table: 'counters',
      key: ['counter', 'window_at'],
      where: sql`window_at < ${now - keptWindowsMs} and not coalesce(window_at in (${listed(windows)}), false) and exists (select 1 from counters as later
        where later.counter = counters.counter and later.window_at > counters.window_at)`,
    },
    // Windows that no engine starts from, and no limit can still be in.
    {
      table: 'counters',
      key: ['counter', 'window_at'],
      where: sql`window_at <> 0 and window_at < ${now - longestWindowMs - keptWindowsMs}`,
    },
    // Counters that never start again, which no limit uses and no archived policy shows.
    {
      table: 'counters',
      key: ['counter', 'window_at'],
      where: sql`window_at = 0 and ${isPolicyGone(now - longestWindowMs)}`,
    },
    { table: 'label_values', key: ['id'], where: sql`day < ${day}` },
    { table: 'label_counts', key: ['id'], where: sql`day < ${day}` },
    { table: 'usage_hours', key: ['id'], where: sql`hour < ${sums}` },
    { table: 'usage_labels', key: ['id'], where: sql`day < ${sums}` },
  ];
};

/** Deletes some of the old rows, and returns how many. */
const pruneStep = async (writing: Writing, options: PruneOptions): Promise<bigint> => {
  let deleted = await prunePostings(writing, options);
  for (const rows of oldRows(options)) deleted += await deleteSome(writing, rows);
  return deleted;
};

/** Deletes old rows until `isOver` returns true. Sums stay for 400 days. */
export const pruneLedger = (store: Pick<Store, 'write'>, options: PruneOptions, isOver: () => boolean): Promise<void> =>
  pruneSteps(() => store.write((writing) => pruneStep(writing, options)), isOver);
