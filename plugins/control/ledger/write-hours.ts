import { type RawBuilder, sql } from 'kysely';
import type { Writing } from '../store/store.ts';
import type { UsageHourRow } from '../store/tables.ts';
import type { BookedSums } from './booked-attempt.ts';
import { digest } from './digest.ts';
import { inChunks } from './in-chunks.ts';
import type { Facts } from './ledger-record.ts';
import { addSums, summedColumns } from './summed-columns.ts';

export const hourMs = 3_600_000;

/** Whose usage a row is; empty texts for what it lacks. */
export const dimensionsOf = (
  facts: Facts,
): Pick<UsageHourRow, 'organisation_id' | 'workspace_id' | 'key_id' | 'provider' | 'model' | 'config'> => ({
  organisation_id: facts.organisation_id,
  workspace_id: facts.workspace_id,
  key_id: facts.key_id ?? '',
  provider: facts.provider,
  model: facts.model,
  config: facts.config ?? '',
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
export const summedById = <Row extends UsageHourRow | ({ readonly id: string } & BookedSums['sums'])>(
  rows: readonly Row[],
): readonly Row[] => {
  const byId = new Map<string, Row>();
  for (const row of rows) {
    const before = byId.get(row.id);
    byId.set(row.id, before === undefined ? row : { ...row, ...addSums(before, row) });
  }
  return [...byId.values()];
};

/** When the hour began. */
export const hourOf = (at: number): number => Math.floor(at / hourMs) * hourMs;

const toHour = ({ facts, at, sums }: BookedSums): UsageHourRow => {
  const hour = hourOf(at);
  const dimensions = dimensionsOf(facts);
  return { id: digest([hour, ...Object.values(dimensions)]), hour, ...dimensions, ...sums };
};

/** Adds what is new in the ledger to the sums by hour. */
export const writeHours = async (writing: Writing, all: readonly BookedSums[]): Promise<void> => {
  await inChunks(summedById(all.map(toHour)), (chunk) =>
    writing
      .insertInto('usage_hours')
      .values([...chunk])
      .onConflict((conflict) => conflict.column('id').doUpdateSet(addedTo('usage_hours')))
      .execute(),
  );
};
