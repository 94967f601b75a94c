import { sql } from 'kysely';
import type { Writing } from '../store/store.ts';
import type { CounterRow } from '../store/tables.ts';
import { digest } from './digest.ts';
import { inChunks } from './in-chunks.ts';
import type { Counter, LedgerRecord } from './ledger-record.ts';

/** Sums of charges, one for each counter and window. */
const toCounters = (records: readonly LedgerRecord[]): readonly CounterRow[] => {
  const amounts = new Map<Counter, Map<number, number>>();
  for (const { charges } of records)
    for (const { counter, amount, window } of charges) {
      const windows = amounts.get(counter) ?? new Map<number, number>();
      amounts.set(counter, windows);
      windows.set(window, (windows.get(window) ?? 0) + amount);
    }
  const rows = new Map<string, CounterRow>();
  for (const [{ policy, bucket, unit }, windows] of amounts) {
    const counter = digest([policy, bucket, unit]);
    for (const [window_at, sum] of windows) {
      const key = `${counter} ${window_at}`;
      const amount = (rows.get(key)?.amount ?? 0) + sum;
      rows.set(key, { counter, policy, bucket, unit, window_at, amount });
    }
  }
  return [...rows.values()];
};

/** Adds the charges of records that are new to their counters. */
export const writeCounters = async (writing: Writing, records: readonly LedgerRecord[]): Promise<void> => {
  await inChunks(toCounters(records), (chunk) =>
    writing
      .insertInto('counters')
      .values([...chunk])
      .onConflict((conflict) =>
        conflict
          .columns(['counter', 'window_at'])
          .doUpdateSet({ amount: sql<number>`${sql.ref('counters.amount')} + ${sql.ref('excluded.amount')}` }),
      )
      .execute(),
  );
};
