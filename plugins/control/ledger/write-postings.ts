import { insertRows } from '../store/insert-rows.ts';
import type { Store, Writing } from '../store/store.ts';
import type { LedgerPostingRow } from '../store/tables.ts';
import { dayMs } from './day-ms.ts';
import { inChunks } from './in-chunks.ts';
import { keepNames } from './kept-names.ts';
import { postingColumns } from './ledger-columns.ts';
import type { LedgerRecord, Named, RecordedAttempt } from './ledger-record.ts';
import { shortId } from './short-id.ts';

/** A correction has the time of its estimate. */
const timeOf = ({ at, attempt }: LedgerRecord): number => attempt?.at ?? at;

const lastDays = (records: readonly LedgerRecord[]): ReadonlyMap<Named, number> => {
  const days = new Map<Named, number>();
  const note = (named: Named, day: number): void => {
    if ((days.get(named) ?? -1) < day) days.set(named, day);
  };
  for (const record of records) {
    const day = Math.floor(timeOf(record) / dayMs) * dayMs;
    if (record.attempt !== undefined) note(record.attempt.facts, day);
    for (const { counter } of record.charges) note(counter, day);
  }
  return days;
};

type UsedColumns = Omit<LedgerPostingRow, 'number' | 'id' | 'at' | 'facts' | 'charges'>;

const nothingUsed: UsedColumns = {
  ...{ trace: null, requests: null, attempts: null, input_tokens: null, cache_read_tokens: null },
  ...{ cache_write_tokens: null, audio_tokens: null, output_tokens: null, reasoning_tokens: null, nano_usd: null },
  corrects: null,
};

const countOrNull = (count: number): number | null => (count === 0 ? null : count);

const usedBy = (attempt: RecordedAttempt): UsedColumns => ({
  trace: attempt.trace === '' ? null : attempt.trace,
  requests: countOrNull(attempt.requests),
  attempts: countOrNull(attempt.attempts),
  input_tokens: countOrNull(attempt.input_tokens),
  cache_read_tokens: countOrNull(attempt.cache_read_tokens),
  cache_write_tokens: countOrNull(attempt.cache_write_tokens),
  audio_tokens: countOrNull(attempt.audio_tokens),
  output_tokens: countOrNull(attempt.output_tokens),
  reasoning_tokens: countOrNull(attempt.reasoning_tokens),
  nano_usd: attempt.nano_usd,
  corrects: attempt.corrects === null ? null : shortId(attempt.corrects),
});

type NumberOf = (named: Named) => number;

const chargesOf = ({ charges }: LedgerRecord, numberOf: NumberOf): string | null => {
  if (charges.length === 0) return null;
  const each = charges.map(({ counter, amount, window }) => `[${numberOf(counter)},${amount},${window}]`);
  return `[${each.join(',')}]`;
};

const toPosting = (record: LedgerRecord, numberOf: NumberOf): Omit<LedgerPostingRow, 'number'> => {
  const { id, attempt } = record;
  return {
    id: shortId(id),
    at: timeOf(record),
    facts: attempt === undefined ? null : numberOf(attempt.facts),
    charges: chargesOf(record, numberOf),
    ...(attempt === undefined ? nothingUsed : usedBy(attempt)),
  };
};

/** The ids of those that an earlier version has written; they are looked for until what it wrote is deleted. */
const writtenBefore = async (writing: Writing, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const found = new Set<string>();
  const row = await writing.selectFrom('ledger_before').select('id').limit(1).executeTakeFirst();
  if (row !== undefined)
    for (const { id } of await inChunks(ids, (chunk) =>
      writing.selectFrom('ledger_before').select('id').where('id', 'in', chunk).execute(),
    ))
      found.add(id);
  const charge = await writing.selectFrom('ledger_charges_before').select('posting').limit(1).executeTakeFirst();
  if (charge !== undefined)
    for (const { posting } of await inChunks(ids, (chunk) =>
      writing.selectFrom('ledger_charges_before').select('posting').where('posting', 'in', chunk).execute(),
    ))
      found.add(posting);
  return found;
};

/** Writes postings that are not there yet, each with another id, and answers them. */
export const writePostings = async <Posted extends LedgerRecord>(
  writing: Writing,
  kind: Store['kind'],
  given: readonly Posted[],
): Promise<readonly Posted[]> => {
  if (given.length === 0) return [];
  const before = await writtenBefore(
    writing,
    given.map(({ id }) => id),
  );
  const records = before.size === 0 ? given : given.filter(({ id }) => !before.has(id));
  const numberOf = await keepNames(writing, kind, lastDays(records));
  const rows = records.map((record) => toPosting(record, numberOf));
  const inserted = await insertRows(writing, 'ledger_postings', {
    ...{ kind, columns: postingColumns, rows, returning: 'id' },
  });
  if (inserted.length === rows.length) return records;
  const isNew = new Set(inserted.flatMap(Object.values));
  return records.filter((_, at) => isNew.has(rows[at]?.id));
};
