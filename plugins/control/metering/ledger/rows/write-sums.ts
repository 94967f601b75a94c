import { sql } from 'kysely';
import { startOfHour } from '../../../../../schema/durations.ts';
import { rowInserter } from '../../../kernel/store/rows/row-inserter.ts';
import type { Store, Writing } from '../../../kernel/store/store.ts';
import type { Counter, LedgerRecord } from '../record/ledger-record.ts';
import { digest, nameDigest } from '../record/named-texts.ts';
import {
  addedTo,
  type BookedSums,
  counterColumns,
  hourColumns,
  latestByFacts,
  type RowHead,
  SummedRows,
  toDimensions,
} from './ledger-columns.ts';

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

const toHead = latestByFacts((facts, hour): RowHead => {
  const whose = toDimensions(facts);
  return [digest([hour, ...whose]), hour, ...whose];
});

const insertHours = rowInserter('usage_hours', { columns: hourColumns, merge: () => addedTo('usage_hours') });

/** Adds what is new in the ledger to the sums by hour. */
export const writeHours = async (writing: Writing, kind: Store['kind'], all: readonly BookedSums[]): Promise<void> => {
  const rows = new SummedRows();
  for (const { facts, at, sums } of all) rows.add(toHead(facts, startOfHour(at)), sums);
  await insertHours(writing, kind, rows.values());
};
