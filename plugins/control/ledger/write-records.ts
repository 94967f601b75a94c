import type { Store, Writing } from '../store/store.ts';
import type { LedgerRow } from '../store/tables.ts';
import { type BookedRow, booked, corrected } from './booked-row.ts';
import { inChunks } from './in-chunks.ts';
import type { LedgerRecord } from './ledger-record.ts';
import { shortId } from './short-id.ts';
import { writeCounters } from './write-counters.ts';
import { writeHours } from './write-hours.ts';
import { type LabelBounds, writeLabels } from './write-labels.ts';
import { writePostings } from './write-postings.ts';

export interface WriteOptions {
  readonly kind: Store['kind'];
  readonly bounds: LabelBounds | undefined;
}

/** A record with what its row adds to the sums. */
interface BookedRecord extends LedgerRecord {
  readonly booked?: BookedRow;
}

const rowsById = async (writing: Writing, ids: readonly string[]): Promise<ReadonlyMap<string, LedgerRow>> => {
  const rows = await inChunks(ids, (chunk) =>
    writing.selectFrom('ledger').selectAll().where('id', 'in', chunk).execute(),
  );
  return new Map(rows.map((row) => [row.id, row]));
};

/** An estimate that was written before has the id that it had then. */
const estimatesOf = async (
  writing: Writing,
  corrections: readonly LedgerRecord[],
): Promise<(id: string) => LedgerRow | undefined> => {
  const ids = corrections.flatMap(({ row }) => row?.corrects ?? []);
  const rows = await rowsById(writing, [...new Set([...ids.map(shortId), ...ids])]);
  return (id) => rows.get(shortId(id)) ?? rows.get(id);
};

/** The difference of what was used to an estimate; all of it where the estimate was never written. */
const differences = async (
  writing: Writing,
  corrections: readonly LedgerRecord[],
): Promise<readonly BookedRecord[]> => {
  if (corrections.length === 0) return [];
  const estimateOf = await estimatesOf(writing, corrections);
  return corrections.map((record) => {
    const { row } = record;
    if (row === undefined || row.corrects === null) return record;
    const estimate = estimateOf(row.corrects);
    const difference = estimate === undefined ? booked(row) : corrected(estimate, row);
    return { ...record, row: difference.row, booked: difference };
  });
};

/** Writes records in one transaction with all sums. One whose id is there already changes nothing. */
export const writeRecords = async (
  writing: Writing,
  given: readonly LedgerRecord[],
  { kind, bounds }: WriteOptions,
): Promise<void> => {
  const records = [...new Map(given.toReversed().map((record) => [record.id, record])).values()].toReversed();
  const isCorrection = ({ row }: LedgerRecord): boolean => row !== undefined && row.corrects !== null;
  const plain = records
    .filter((record) => !isCorrection(record))
    .map((record): BookedRecord => (record.row === undefined ? record : { ...record, booked: booked(record.row) }));
  const written = await writePostings(writing, kind, plain);
  const corrections = await differences(writing, records.filter(isCorrection));
  const all = [...written, ...(await writePostings(writing, kind, corrections))];
  const rows = all.flatMap((record) => record.booked ?? []);
  await writeCounters(writing, all);
  await writeHours(writing, rows);
  await writeLabels(writing, rows, bounds);
};
