import { toBuffer } from '../../../sdk/http/to-buffer.ts';
import { sharedBytes } from '../../../sdk/records/shared-bytes.ts';
import type { Job } from '../../kernel/store/job.ts';
import { readBodies, readNote, type SealedBodies, writeAlone, writeBodies } from '../recording/note-codec.ts';
import { NoteReader, NoteWriter } from '../recording/note-writer.ts';
import type { NotedRequest } from '../recording/noted-request.ts';
import { type NewRecord, toRecord } from '../recording/to-record.ts';
import type { LogTables } from '../store/log-columns.ts';
import { insertRecords } from './write-records.ts';

/** Records are made of so many requests at a time: those of twice as many outlive what V8 collects cheaply. */
const recordsAtOnce = 50;
/** Memory for one note. */
const defaultNoteBytes = 1024;

const toBytes = (writer: NoteWriter): Uint8Array => writer.part(0, writer.length);

/** Notes as they are handed over, with the bodies, if there are any, before them. */
export const workBytes = (notes: Uint8Array, bodies: SealedBodies): Uint8Array => {
  if (bodies.size === 0) return notes;
  const writer = new NoteWriter(defaultNoteBytes);
  writeBodies(writer, bodies);
  const work = sharedBytes(writer.length + notes.length);
  work.set(toBytes(writer));
  work.set(notes, writer.length);
  return work;
};

const toReader = (work: Uint8Array): NoteReader => {
  const reader = new NoteReader();
  reader.begin(toBuffer(work));
  return reader;
};

/** A note that can be handed over without the others of its batch. */
export interface NoteAlone {
  readonly id: string;
  readonly note: Uint8Array;
}

const noteAlone = (note: NotedRequest): NoteAlone => {
  const writer = new NoteWriter(defaultNoteBytes);
  writeAlone(writer, note);
  return { id: note.id, note: toBytes(writer) };
};

/** Each note alone. */
export const notesAlone = (notes: Uint8Array): readonly NoteAlone[] => {
  const reader = toReader(notes);
  const alone: NoteAlone[] = [];
  while (!reader.isAtEnd) alone.push(noteAlone(readNote(reader)));
  return alone;
};

const withBodies = ({ record, detail }: NewRecord, bodies: string | undefined): NewRecord =>
  bodies === undefined
    ? { record, detail }
    : { record: { ...record, bytes: record.bytes + bodies.length }, detail: { ...detail, bodies } };

/** The records of the requests that were handed over, some at a time. */
function* readWork(work: Uint8Array): Generator<readonly NewRecord[]> {
  const reader = toReader(work);
  const bodies = readBodies(reader);
  while (!reader.isAtEnd) {
    const records: NewRecord[] = [];
    while (!reader.isAtEnd && records.length < recordsAtOnce) {
      const note = readNote(reader);
      records.push(withBodies(toRecord(note), bodies.get(note.id)));
    }
    yield records;
  }
}

/** Writes the records of requests, which arrive as `workText` makes them. */
export const job: Job<LogTables> = (writing, { kind, bytes }) =>
  insertRecords(writing, readWork(bytes), { kind, areNew: true });
