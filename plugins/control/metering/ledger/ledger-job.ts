import type { Job } from '../../kernel/store/job.ts';
import type { Tables } from '../../kernel/store/tables.ts';
import { cacheOf } from './kept-names.ts';
import { readWork } from './waiting-records.ts';
import { writeRecords } from './write-records.ts';

/** Writes the records that have waited for the ledger. */
export const job: Job<Tables> = async (writing, { kind, bytes, database, onSuccess }) => {
  const memory = cacheOf(database);
  const { records, bounds } = readWork(bytes, memory.read);
  await writeRecords(writing, records, { kind, bounds, memory, onSuccess });
};
