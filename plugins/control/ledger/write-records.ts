import type { Store, Writing } from '../store/store.ts';
import type { LedgerRecord } from './ledger-record.ts';
import { chargedBefore, writeCharges } from './write-charges.ts';
import { writeHours } from './write-hours.ts';
import { type LabelBounds, writeLabels } from './write-labels.ts';
import { writeRows } from './write-rows.ts';

export interface WriteOptions {
  readonly kind: Store['kind'];
  readonly bounds: LabelBounds | undefined;
}

/** Writes records in one transaction with all sums. One whose id is there already changes nothing. */
export const writeRecords = async (
  writing: Writing,
  given: readonly LedgerRecord[],
  { kind, bounds }: WriteOptions,
): Promise<void> => {
  const records = [...new Map(given.toReversed().map((record) => [record.id, record])).values()].toReversed();
  const rows = await writeRows(
    writing,
    kind,
    records.flatMap(({ row }) => row ?? []),
  );
  const isWritten = new Set(rows.map(({ row }) => row.id));
  const bare = records.filter(({ row }) => row === undefined).map(({ id }) => id);
  const wasThere = await chargedBefore(writing, bare);
  await writeCharges(
    writing,
    kind,
    records.filter(({ id, row }) => (row === undefined ? !wasThere.has(id) : isWritten.has(id))),
  );
  await writeHours(writing, rows);
  await writeLabels(writing, rows, bounds);
};
