import { sql } from 'kysely';
import { insertRows } from '../store/insert-rows.ts';
import type { Store, Writing } from '../store/store.ts';
import type { CounterRow } from '../store/tables.ts';
import { digest } from './digest.ts';
import { inChunks } from './in-chunks.ts';
import { chargeColumns } from './ledger-columns.ts';
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

/** Writes the charges of records that are new, and adds them to their counters. */
export const writeCharges = async (
  writing: Writing,
  kind: Store['kind'],
  records: readonly LedgerRecord[],
): Promise<void> => {
  const rows = records.flatMap(({ id, at, charges }) =>
    charges.map(({ policy, bucket, unit, amount, window }, number) => ({
      ...{ posting: id, number, at, policy, bucket, unit, window_at: window, amount },
    })),
  );
  await insertRows(writing, 'ledger_charges', { kind, columns: chargeColumns, rows });
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

/** Of postings without a row: the ids of those that were written before. */
export const chargedBefore = async (writing: Writing, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const found = await inChunks(ids, (chunk) =>
    writing.selectFrom('ledger_charges').select('posting').distinct().where('posting', 'in', chunk).execute(),
  );
  return new Set(found.map(({ posting }) => posting));
};
