import { sql } from 'kysely';
import { dayMs } from '../../../../../schema/durations.ts';
import { pruneSteps } from '../../../kernel/store/prune-steps.ts';
import type { Store, Writing } from '../../../kernel/store/store.ts';
import type { PostedCharge } from '../record/posting.ts';

interface PrunePostings {
  /** Milliseconds since the epoch. */
  readonly before: number;
  readonly maxBytes?: number | undefined;
  /** The most rows of a table that are deleted. */
  readonly step: number;
}

/** So many of the first postings are looked through for old ones: their numbers, and about their times, have one order. */
const lookedThrough = 10_000;

/** What a posting has beside its texts, and in the index of ids. */
const otherBytes = 40;

const firstNumber = async (writing: Writing): Promise<number | undefined> => {
  const row = await writing
    .selectFrom('ledger_postings')
    .select('number')
    .orderBy('number')
    .limit(1)
    .executeTakeFirst();
  return row?.number;
};

const lastNumber = async (writing: Writing): Promise<number> => {
  const last = writing.selectFrom('ledger_postings').select('number').orderBy('number', 'desc').limit(1);
  return (await last.executeTakeFirst())?.number ?? 0;
};

/** What a posting takes, by the last ones. */
const bytesEach = async (writing: Writing): Promise<number> => {
  const { rows } = await sql<{ readonly bytes: number | null }>`select cast(avg(
      2 * length(id) + coalesce(length(trace), 0) + coalesce(length(charges), 0) + coalesce(length(corrects), 0)
    ) as bigint) as bytes from (select * from ledger_postings order by number desc limit 1000) as latest`.execute(
    writing,
  );
  return (rows[0]?.bytes ?? 0) + otherBytes;
};

const deleteUpTo = async (writing: Writing, beyond: number): Promise<bigint> =>
  (await writing.deleteFrom('ledger_postings').where('number', '<', beyond).executeTakeFirst()).numDeletedRows;

const pruneBySize = async (writing: Writing, first: number, { maxBytes, step }: PrunePostings): Promise<bigint> => {
  if (maxBytes === undefined) return 0n;
  const count = (await lastNumber(writing)) - first + 1;
  const excess = count - Math.floor(maxBytes / (await bytesEach(writing)));
  return excess <= 0 ? 0n : deleteUpTo(writing, first + Math.min(excess, step));
};

const pruneByAge = async (writing: Writing, first: number, { before, step }: PrunePostings): Promise<bigint> => {
  const old = writing
    .selectFrom('ledger_postings')
    .select('number')
    .where('number', '<', first + lookedThrough)
    .where('at', '<', before)
    .orderBy('number')
    .limit(step);
  return (await writing.deleteFrom('ledger_postings').where('number', 'in', old).executeTakeFirst()).numDeletedRows;
};

/** Names of which every posting is old, in an order by which others know what may be gone. */
const pruneNames = async (writing: Writing, { before, step }: PrunePostings): Promise<bigint> => {
  const unused = writing
    .selectFrom('ledger_names')
    .select('number')
    .where('day', '<', before - dayMs)
    .orderBy('day')
    .orderBy('number')
    .limit(step);
  return (await writing.deleteFrom('ledger_names').where('number', 'in', unused).executeTakeFirst()).numDeletedRows;
};

/** What an earlier version has written. */
const pruneEarlier = async (writing: Writing, { before, step }: PrunePostings): Promise<bigint> => {
  const old = writing.selectFrom('ledger_before').select('id').where('at', '<', before).orderBy('at').limit(step);
  const rows = await writing.deleteFrom('ledger_before').where('id', 'in', old).executeTakeFirst();
  const oldCharges = writing
    .selectFrom('ledger_charges_before')
    .select(['posting', 'number'])
    .where('at', '<', before)
    .orderBy('at')
    .limit(step);
  const charges = await writing
    .deleteFrom('ledger_charges_before')
    .where(({ refTuple }) => refTuple('posting', 'number'), 'in', oldCharges.$asTuple('posting', 'number'))
    .executeTakeFirst();
  return rows.numDeletedRows + charges.numDeletedRows;
};

/** Deletes some of the postings that are old, or beyond what is kept, and answers how many rows that were. */
const prunePostings = async (writing: Writing, options: PrunePostings): Promise<bigint> => {
  const first = await firstNumber(writing);
  const kept =
    first === undefined
      ? 0n
      : (await pruneByAge(writing, first, options)) + (await pruneBySize(writing, first, options));
  return kept + (await pruneNames(writing, options)) + (await pruneEarlier(writing, options));
};

/** As long as the longest window of a policy, a year of 366 days. */
const longestWindowMs = 366 * dayMs;

/** Counters of windows that began so long ago, and were followed by others, are not asked for any more. */
const keptWindowsMs = 2 * dayMs;

/** The time of the oldest attempt that is kept, in milliseconds since the epoch; undefined where none is. */
export const firstAttemptAt = async ({ db }: Pick<Store, 'db'>): Promise<number | undefined> => {
  const earlier = await db.selectFrom('ledger_before').select('at').orderBy('at').limit(1).executeTakeFirst();
  if (earlier !== undefined) return earlier.at;
  const first = db.selectFrom('ledger_postings').select('at').where('facts', 'is not', null).orderBy('number').limit(1);
  return (await first.executeTakeFirst())?.at;
};

/** Rows that are deleted in one transaction, which others wait for. */
const step = 500;

/** Reports are for the last year, and as much more as comparing with it takes. */
const keptSumsMs = 400 * dayMs;

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

/** The latest window that has begun, and what is not over yet, stay; what ended before is asked for no more. */
const pruneCounters = async (writing: Writing, now: number): Promise<bigint> => {
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
  const { numDeletedRows } = await writing
    .deleteFrom('counters')
    .where(({ refTuple }) => refTuple('counter', 'window_at'), 'in', ended.$asTuple('counter', 'window_at'))
    .executeTakeFirst();
  return numDeletedRows;
};

const pruneLabelSets = async (writing: Writing, now: number): Promise<bigint> => {
  let deleted = 0n;
  for (const table of ['label_values', 'label_counts'] as const) {
    const days = writing
      .selectFrom(table)
      .select('id')
      .where('day', '<', now - keptLabelsMs)
      .limit(step);
    deleted += (await writing.deleteFrom(table).where('id', 'in', days).executeTakeFirst()).numDeletedRows;
  }
  return deleted;
};

const pruneSums = async (writing: Writing, now: number): Promise<bigint> => {
  const before = now - keptSumsMs;
  const hours = writing.selectFrom('usage_hours').select('id').where('hour', '<', before).limit(step);
  const days = writing.selectFrom('usage_labels').select('id').where('day', '<', before).limit(step);
  const ofHours = await writing.deleteFrom('usage_hours').where('id', 'in', hours).executeTakeFirst();
  const ofDays = await writing.deleteFrom('usage_labels').where('id', 'in', days).executeTakeFirst();
  return ofHours.numDeletedRows + ofDays.numDeletedRows;
};

interface PruneOptions {
  /** Postings that are older are deleted; milliseconds since the epoch. */
  readonly before: number;
  readonly now: number;
  /** The bytes that postings may have; the oldest ones beyond it are deleted. No bound if absent. */
  readonly maxBytes?: number | undefined;
}

/** Deletes some of what is old, and answers how many rows that were. */
const pruneStep = async (writing: Writing, { before, now, maxBytes }: PruneOptions): Promise<bigint> =>
  (await prunePostings(writing, { before, maxBytes, step })) +
  (await pruneCounters(writing, now)) +
  (await pruneLabelSets(writing, now)) +
  (await pruneSums(writing, now));

/** Deletes what is old until `isOver` says so. Sums stay for 400 days. */
export const pruneLedger = (store: Pick<Store, 'write'>, options: PruneOptions, isOver: () => boolean): Promise<void> =>
  pruneSteps(() => store.write((writing) => pruneStep(writing, options)), isOver);
