import { sql } from 'kysely';
import type { Writing } from '../store/store.ts';
import type { CounterRow } from '../store/tables.ts';
import { digest } from './digest.ts';
import { inChunks } from './in-chunks.ts';
import type { LedgerRecord } from './ledger-record.ts';

/** Sums of charges, one for each counter and window. */
const toCounters = (records: readonly LedgerRecord[]): readonly CounterRow[] => {
  const counters = new Map<string, CounterRow>();
  for (const { charges } of records)
    for (const { policy, bucket, unit, amount, window } of charges) {
      const counter = digest([policy, bucket, unit]);
      const key = `${counter} ${window}`;
      const before = counters.get(key)?.amount ?? 0;
      counters.set(key, { counter, policy, bucket, unit, window_at: window, amount: before + amount });
    }
  return [...counters.values()];
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
