import { sql } from 'kysely';
import { startOfHour } from '../../../../../schema/durations.ts';
import { type RowValues, rowInserter } from '../../../kernel/store/rows/row-inserter.ts';
import type { Store, Writing } from '../../../kernel/store/store.ts';
import type { Counter, Facts, LedgerRecord } from '../record/ledger-record.ts';
import { digest, nameDigest } from '../record/named-texts.ts';
import { addedTo, counterColumns, hourColumns, SummedRows } from './ledger-columns.ts';
import type { BookedSums } from './write-records.ts';

/** A counter in one of its windows, and what is added to it. */
interface Charged {
  readonly counter: Counter;
  readonly window: number;
  amount: number;
}

/** Sums of charges, one for each counter and window. */
const chargedBy = (records: readonly LedgerRecord[]): readonly Charged[] => {
  const byCounter = new Map<Counter, Map<number, number>>();
  for (const { charges } of records)
    for (const { counter, amount, window } of charges) {
      const known = byCounter.get(counter);
      const windows = known ?? new Map<number, number>();
      if (known === undefined) byCounter.set(counter, windows);
      windows.set(window, (windows.get(window) ?? 0) + amount);
    }
  const all = new Map<string, Charged>();
  for (const [counter, windows] of byCounter)
    for (const [window, amount] of windows) {
      const key = `${nameDigest(counter)} ${window}`;
      const known = all.get(key);
      if (known === undefined) all.set(key, { counter, window, amount });
      else known.amount += amount;
    }
  return [...all.values()];
};

const insertCounters = rowInserter('counters', {
  columns: counterColumns,
  merge: () => sql`(counter, window_at) do update set amount = counters.amount + excluded.amount`,
});

/** Adds the charges of records that are new to their counters. */
export const writeCounters = async (
  writing: Writing,
  kind: Store['kind'],
  records: readonly LedgerRecord[],
): Promise<void> => {
  const rows = chargedBy(records).map(({ counter, window, amount }) => {
    const { policy, bucket, unit } = counter;
    return [nameDigest(counter), policy, bucket, unit, window, amount];
  });
  await insertCounters(writing, kind, rows);
};

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
