import { startOfHour } from '../../../../../schema/durations.ts';
import { type RowValues, rowInserter } from '../../../kernel/store/rows/row-inserter.ts';
import type { Store, Writing } from '../../../kernel/store/store.ts';
import type { BookedSums } from '../record/booked-attempt.ts';
import { digest } from '../record/digest.ts';
import type { Facts } from '../record/ledger-record.ts';
import { hourColumns } from './ledger-columns.ts';
import { addedTo, SummedRows } from './summed-rows.ts';

const dimensions = new WeakMap<Facts, readonly string[]>();

/** Whose usage a row is, in the order of its columns; empty texts for what it lacks. */
export const toDimensions = (facts: Facts): readonly string[] => {
  const known = dimensions.get(facts);
  if (known !== undefined) return known;
  const { organisation_id, workspace_id, key_id, provider, model, config } = facts;
  const made = [organisation_id, workspace_id, key_id ?? '', provider, model, config ?? ''];
  dimensions.set(facts, made);
  return made;
};

/** How the row of an hour begins. */
interface Hour {
  readonly hour: number;
  readonly id: string;
  readonly named: RowValues;
}

const latestHours = new WeakMap<Facts, Hour>();

const toHour = ({ facts, at }: BookedSums): Hour => {
  const hour = startOfHour(at);
  const known = latestHours.get(facts);
  if (known?.hour === hour) return known;
  const whose = toDimensions(facts);
  const id = digest([hour, ...whose]);
  const made = { hour, id, named: [id, hour, ...whose] };
  latestHours.set(facts, made);
  return made;
};

const insertHours = rowInserter('usage_hours', { columns: hourColumns, merge: () => addedTo('usage_hours') });

/** Adds what is new in the ledger to the sums by hour. */
export const writeHours = async (writing: Writing, kind: Store['kind'], all: readonly BookedSums[]): Promise<void> => {
  const rows = new SummedRows();
  for (const booked of all) {
    const { id, named } = toHour(booked);
    rows.add(id, named, booked.sums);
  }
  await insertHours(writing, kind, rows.values());
};
