import { type RawBuilder, sql } from 'kysely';
import type { Writing } from '../store/store.ts';
import type { LedgerRow, UsageHourRow } from '../store/tables.ts';
import type { BookedRow } from './booked-row.ts';
import { digest } from './digest.ts';
import { inChunks } from './in-chunks.ts';
import { addSums, summedColumns } from './summed-columns.ts';

export const hourMs = 3_600_000;

/** Whose usage a row is; empty texts for what it lacks. */
export const dimensionsOf = (
  row: LedgerRow,
): Pick<UsageHourRow, 'organisation_id' | 'workspace_id' | 'key_id' | 'provider' | 'model' | 'config'> => ({
  organisation_id: row.organisation_id,
  workspace_id: row.workspace_id,
  key_id: row.key_id ?? '',
  provider: row.provider,
  model: row.model,
  config: row.config ?? '',
});

/** For a row of sums that is there already: its sums and the new ones together. */
export const addedTo = (table: 'usage_hours' | 'usage_labels'): { readonly [column: string]: RawBuilder<number> } =>
  Object.fromEntries(
    summedColumns.map((column) => [
      column,
      sql<number>`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`,
    ]),
  );

/** Rows of sums by their ids, in which rows with the same id are one. */
export const summedById = <Row extends UsageHourRow | ({ readonly id: string } & BookedRow['sums'])>(
  rows: readonly Row[],
): readonly Row[] => {
  const byId = new Map<string, Row>();
  for (const row of rows) {
    const before = byId.get(row.id);
    byId.set(row.id, before === undefined ? row : { ...row, ...addSums(before, row) });
  }
  return [...byId.values()];
};

const toHour = ({ row, sums }: BookedRow): UsageHourRow => {
  const hour = Math.floor(row.at / hourMs) * hourMs;
  const dimensions = dimensionsOf(row);
  return { id: digest([hour, ...Object.values(dimensions)]), hour, ...dimensions, ...sums };
};

/** Adds rows that are new in the ledger to the sums by hour. */
export const writeHours = async (writing: Writing, all: readonly BookedRow[]): Promise<void> => {
  await inChunks(summedById(all.map(toHour)), (chunk) =>
    writing
      .insertInto('usage_hours')
      .values([...chunk])
      .onConflict((conflict) => conflict.column('id').doUpdateSet(addedTo('usage_hours')))
      .execute(),
  );
};
