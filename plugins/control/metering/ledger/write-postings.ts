import { sql } from 'kysely';
import { startOfDay } from '../../../../schema/durations.ts';
import { inChunks } from '../../kernel/store/rows/in-chunks.ts';
import { type ColumnValue, type RowValues, rowInserter } from '../../kernel/store/rows/row-inserter.ts';
import { storedText } from '../../kernel/store/rows/storable.ts';
import type { Store, Writing } from '../../kernel/store/store.ts';
import type { LedgerCache, NameKeeper } from './kept-names.ts';
import { postingColumns } from './ledger-columns.ts';
import type { LedgerRecord, Named, RecordedAttempt } from './ledger-record.ts';
import { shortId } from './short-id.ts';

/** Returns the time of a record. A correction has the time of its estimate. */
const toTime = ({ at, attempt }: LedgerRecord): number => attempt?.at ?? at;

const noteDay = (days: Map<Named, number>, named: Named, day: number): void => {
  if ((days.get(named) ?? -1) < day) days.set(named, day);
};

const lastDays = (records: readonly LedgerRecord[]): ReadonlyMap<Named, number> => {
  const days = new Map<Named, number>();
  for (const record of records) {
    const day = startOfDay(toTime(record));
    if (record.attempt !== undefined) noteDay(days, record.attempt.facts, day);
    for (const { counter } of record.charges) noteDay(days, counter, day);
  }
  return days;
};

const countOrNull = (count: number): number | null => (count === 0 ? null : count);

const toCharges = ({ charges }: LedgerRecord, names: NameKeeper): string | null => {
  if (charges.length === 0) return null;
  const values: (readonly [counter: number, amount: number, window: number])[] = [];
  for (const { counter, amount, window } of charges) values.push([names.toNumber(counter), amount, window]);
  return JSON.stringify(values);
};

/** Returns the short form of an id, as both databases store it. */
const findNameId = (id: string): string => shortId(storedText(id));

const nothingUsed: RowValues = [null, null, null, null, null, null, null, null, null, null, null];

/** Lists the usage of an attempt, in the order of the columns. */
const usedBy = (attempt: RecordedAttempt, names: NameKeeper): RowValues => [
  attempt.trace === '' ? null : attempt.trace,
  names.toNumber(attempt.facts),
  countOrNull(attempt.requests),
  countOrNull(attempt.attempts),
  countOrNull(attempt.input_tokens),
  countOrNull(attempt.cache_read_tokens),
  countOrNull(attempt.cache_write_tokens),
  countOrNull(attempt.audio_tokens),
  countOrNull(attempt.output_tokens),
  countOrNull(attempt.reasoning_tokens),
  attempt.nano_usd,
];

const toRow = (record: LedgerRecord, names: NameKeeper): RowValues => {
  const { id, attempt } = record;
  const used = attempt === undefined ? nothingUsed : usedBy(attempt, names);
  const corrects = attempt?.corrects ?? null;
  const row: ColumnValue[] = [findNameId(id), toTime(record)];
  row.push(...used, toCharges(record, names), corrects === null ? null : findNameId(corrects));
  return row;
};

const insertPostings = rowInserter('ledger_postings', { columns: postingColumns });

/** Returns the ids that an earlier version has written. They are looked up until its rows are deleted. */
const writtenBefore = async (
  writing: Writing,
  memory: LedgerCache,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  const found = new Set<string>();
  let isGone = true;
  for (const [table, id] of [['ledger_before', 'id'] as const, ['ledger_charges_before', 'posting'] as const]) {
    const [any] = await writing.selectFrom(table).select('at').limit(1).execute();
    if (any === undefined) continue;
    isGone = false;
    const rows = await inChunks(ids, async (chunk) => {
      const named = sql<{ readonly id: string }>`select ${sql.ref(id)} as id from ${sql.table(table)}
        where ${sql.ref(id)} in (${sql.join(chunk)})`;
      return (await named.execute(writing)).rows;
    });
    for (const row of rows) found.add(row.id);
  }
  memory.isEarlierGone = isGone;
  return found;
};

/** Returns which of the postings were inserted: the `count` postings with the highest numbers. */
const inserted = async <Posted extends LedgerRecord>(
  writing: Writing,
  records: readonly Posted[],
  count: number,
): Promise<readonly Posted[]> => {
  const rows = await inChunks([...new Set(records.map(({ id }) => findNameId(id)))], (chunk) =>
    writing.selectFrom('ledger_postings').select(['id', 'number']).where('id', 'in', chunk).execute(),
  );
  const last = rows.toSorted((one, other) => other.number - one.number).slice(0, count);
  const left = new Set(last.map(({ id }) => id));
  return records.filter(({ id }) => left.delete(findNameId(id)));
};

/** Writes postings that do not exist yet, only the first one for each id, and returns them. */
export const writePostings = async <Posted extends LedgerRecord>(
  writing: Writing,
  given: readonly Posted[],
  { kind, names, memory }: { readonly kind: Store['kind']; readonly names: NameKeeper; readonly memory: LedgerCache },
): Promise<readonly Posted[]> => {
  if (given.length === 0) return [];
  const before = memory.isEarlierGone
    ? new Set()
    : await writtenBefore(
        writing,
        memory,
        given.map(({ id }) => id),
      );
  const records = before.size === 0 ? given : given.filter(({ id }) => !before.has(id));
  await names.keep(lastDays(records));
  const rows: RowValues[] = [];
  for (const record of records) rows.push(toRow(record, names));
  const count = await insertPostings(writing, kind, rows);
  return count === rows.length ? records : inserted(writing, records, count);
};
