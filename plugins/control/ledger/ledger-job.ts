import type { Job } from '../store/job.ts';
import type { Tables } from '../store/tables.ts';
import type { LedgerRecord } from './ledger-record.ts';
import type { LabelBounds } from './write-labels.ts';
import { writeRecords } from './write-records.ts';

/** What is to be written to the ledger. */
export interface LedgerWork {
  readonly records: readonly LedgerRecord[];
  readonly bounds?: LabelBounds | undefined;
}

/** Writes records, which arrive as the JSON of `LedgerWork`. */
export const job: Job<Tables> = async (writing, { text }) => {
  const { records, bounds }: LedgerWork = JSON.parse(text);
  await writeRecords(writing, records, bounds);
};
