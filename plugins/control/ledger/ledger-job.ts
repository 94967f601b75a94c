import type { Job } from '../store/job.ts';
import type { Tables } from '../store/tables.ts';
import { memoryOf } from './kept-memory.ts';
import { readWork } from './ledger-work.ts';
import { writeRecords } from './write-records.ts';

/** Writes what has waited for the ledger. */
export const job: Job<Tables> = async (writing, { kind, bytes, database, onSuccess }) => {
  const memory = memoryOf(database);
  const { records, bounds } = readWork(bytes, memory.read);
  await writeRecords(writing, records, { kind, bounds, memory, onSuccess });
};
