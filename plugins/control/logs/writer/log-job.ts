import type { Job } from '../../store/job.ts';
import { type NoteValues, noteOfValues } from '../record/note-values.ts';
import { type NewRecord, toRecord } from '../record/to-record.ts';
import type { LogTables } from '../store/log-columns.ts';
import { insertRecords } from './write-records.ts';

/** What is to be written to the log. */
export interface LogWork {
  readonly requests: readonly NoteValues[];
  /** Sealed, as JSON, by the id of the request; of others none are kept. */
  readonly bodies: { readonly [id: string]: string };
}

const withBodies = ({ record, detail }: NewRecord, bodies: string | undefined): NewRecord =>
  bodies === undefined
    ? { record, detail }
    : { record: { ...record, bytes: record.bytes + bodies.length }, detail: { ...detail, bodies } };

/** Writes the records of requests, which arrive as the JSON of `LogWork`. */
export const job: Job<LogTables> = async (writing, { kind, text }) => {
  const { requests, bodies }: LogWork = JSON.parse(text);
  const records = requests.map((values) => {
    const request = noteOfValues(values);
    return withBodies(toRecord(request), bodies[request.id]);
  });
  await insertRecords(writing, kind, records);
};
