import type { Job } from '../../../kernel/store/job.ts';
import type { Tables } from '../../../kernel/store/tables/tables.ts';
import { readWork } from '../record/waiting-records.ts';
import { toMemory } from '../rows/kept-names.ts';
import { writeRecords } from '../rows/write-records.ts';

/** Writes what has waited for the ledger. */
export const job: Job<Tables> = async (writing, { kind, bytes, database, onSuccess }) => {
  const memory = toMemory(database);
  const { records, bounds } = readWork(bytes, memory.read);
  await writeRecords(writing, records, { kind, bounds, memory, onSuccess });
};
