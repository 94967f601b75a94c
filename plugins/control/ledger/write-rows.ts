import { insertRows } from '../store/insert-rows.ts';
import type { Store, Writing } from '../store/store.ts';
import type { LedgerRow } from '../store/tables.ts';
import { type BookedRow, booked, corrected } from './booked-row.ts';
import { inChunks } from './in-chunks.ts';
import { ledgerColumns } from './ledger-columns.ts';

/** Inserts rows, and answers the ids of those that were not there. */
const insertNew = async (
  writing: Writing,
  kind: Store['kind'],
  rows: readonly LedgerRow[],
): Promise<ReadonlySet<unknown>> => {
  const inserted = await insertRows(writing, 'ledger', { kind, columns: ledgerColumns, rows, returning: 'id' });
  return new Set(inserted.flatMap(Object.values));
};

const rowsById = async (writing: Writing, ids: readonly string[]): Promise<ReadonlyMap<string, LedgerRow>> => {
  const rows = await inChunks(ids, (chunk) =>
    writing.selectFrom('ledger').selectAll().where('id', 'in', chunk).execute(),
  );
  return new Map(rows.map((row) => [row.id, row]));
};

const insertBooked = async (
  writing: Writing,
  kind: Store['kind'],
  all: readonly BookedRow[],
): Promise<readonly BookedRow[]> => {
  const isNew = await insertNew(
    writing,
    kind,
    all.map(({ row }) => row),
  );
  return all.filter(({ row }) => isNew.has(row.id));
};

/**
 * Writes rows that are not there yet, each with another id, and answers them. Of one that corrects an estimate it writes the
 * difference; where the estimate was never written, all of it.
 */
export const writeRows = async (
  writing: Writing,
  kind: Store['kind'],
  rows: readonly LedgerRow[],
): Promise<readonly BookedRow[]> => {
  const attempts = rows.filter(({ corrects }) => corrects === null).map(booked);
  const written = await insertBooked(writing, kind, attempts);
  const corrections = rows.filter(({ corrects }) => corrects !== null);
  if (corrections.length === 0) return written;
  const estimates = await rowsById(
    writing,
    corrections.flatMap(({ corrects }) => corrects ?? []),
  );
  const differences = corrections.map((row) => {
    const estimate = row.corrects === null ? undefined : estimates.get(row.corrects);
    return estimate === undefined ? booked(row) : corrected(estimate, row);
  });
  return [...written, ...(await insertBooked(writing, kind, differences))];
};
