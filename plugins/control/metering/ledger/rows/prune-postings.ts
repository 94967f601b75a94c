import { sql } from 'kysely';
import { dayMs } from '../../../../../schema/durations.ts';
import type { Writing } from '../../../kernel/store/store.ts';

export interface PrunePostings {
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
export const prunePostings = async (writing: Writing, options: PrunePostings): Promise<bigint> => {
  const first = await firstNumber(writing);
  const kept =
    first === undefined
      ? 0n
      : (await pruneByAge(writing, first, options)) + (await pruneBySize(writing, first, options));
  return kept + (await pruneNames(writing, options)) + (await pruneEarlier(writing, options));
};
