import type { PostedCharge } from '../limits/limits.ts';
import { insertRows } from '../store/insert-rows.ts';
import type { Store, Writing } from '../store/store.ts';
import type { LedgerPostingRow, LedgerRow } from '../store/tables.ts';
import { dayMs } from './day-ms.ts';
import { inChunks } from './in-chunks.ts';
import { type DatedName, keepNames, type Name, nameKey } from './kept-names.ts';
import { postingColumns } from './ledger-columns.ts';
import type { LedgerRecord } from './ledger-record.ts';
import { shortId } from './short-id.ts';

/** In this order the view of the ledger reads them: a change needs a migration. */
const factsOf = (row: LedgerRow): Name => [
  ...[row.organisation_id, row.workspace_id, row.key_id, row.config, row.prompt, row.provider, row.slug, row.model],
  ...[row.answered_model, row.kind, row.tier, row.prices, row.metadata],
];

const counterOf = ({ policy, bucket, unit }: PostedCharge): Name => [policy, bucket, unit];

const dayOf = (at: number): number => Math.floor(at / dayMs) * dayMs;

/** A correction has the time of its estimate. */
const timeOf = ({ at, row }: LedgerRecord): number => row?.at ?? at;

const namesOf = (record: LedgerRecord): readonly DatedName[] => {
  const { row, charges } = record;
  const day = dayOf(timeOf(record));
  const counters = charges.map((charge) => ({ name: counterOf(charge), day }));
  return row === undefined ? counters : [{ name: factsOf(row), day }, ...counters];
};

const countOrNull = (count: number): number | null => (count === 0 ? null : count);

type UsedColumns = Omit<LedgerPostingRow, 'number' | 'id' | 'at' | 'facts' | 'charges'>;

const nothingUsed: UsedColumns = {
  ...{ trace: null, requests: null, attempts: null, input_tokens: null, cache_read_tokens: null },
  ...{ cache_write_tokens: null, audio_tokens: null, output_tokens: null, reasoning_tokens: null, nano_usd: null },
  corrects: null,
};

const usedBy = (row: LedgerRow): UsedColumns => ({
  trace: row.trace === '' ? null : row.trace,
  requests: countOrNull(row.requests),
  attempts: countOrNull(row.attempts),
  input_tokens: countOrNull(row.input_tokens),
  cache_read_tokens: countOrNull(row.cache_read_tokens),
  cache_write_tokens: countOrNull(row.cache_write_tokens),
  audio_tokens: countOrNull(row.audio_tokens),
  output_tokens: countOrNull(row.output_tokens),
  reasoning_tokens: countOrNull(row.reasoning_tokens),
  nano_usd: row.nano_usd,
  corrects: row.corrects === null ? null : shortId(row.corrects),
});

const toPosting = (record: LedgerRecord, numbers: ReadonlyMap<string, number>): Omit<LedgerPostingRow, 'number'> => {
  const { id, row, charges } = record;
  const numberOf = (name: Name): number | null => numbers.get(nameKey(name)) ?? null;
  return {
    id: shortId(id),
    at: timeOf(record),
    ...(row === undefined ? nothingUsed : usedBy(row)),
    facts: row === undefined ? null : numberOf(factsOf(row)),
    charges:
      charges.length === 0
        ? null
        : JSON.stringify(charges.map((charge) => [numberOf(counterOf(charge)), charge.amount, charge.window])),
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
  const numbers = await keepNames(writing, kind, records.flatMap(namesOf));
  const rows = records.map((record) => toPosting(record, numbers));
  const inserted = await insertRows(writing, 'ledger_postings', {
    ...{ kind, columns: postingColumns, rows, returning: 'id' },
  });
  if (inserted.length === rows.length) return records;
  const isNew = new Set(inserted.flatMap(Object.values));
  return records.filter((_, at) => isNew.has(rows[at]?.id));
};
