import type { Job } from '../../kernel/store/job.ts';
import type { LogTables } from '../store/log-columns.ts';
import { readWork } from './log-work.ts';
import { insertRecords } from './write-records.ts';

/** Writes the records of requests, which arrive as `workText` makes them. */
export const job: Job<LogTables> = (writing, { kind, bytes }) =>
  insertRecords(writing, readWork(bytes), { kind, areNew: true });
