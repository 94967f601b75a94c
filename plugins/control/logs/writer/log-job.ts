import { sharedBytes } from '../../../sdk/binary/shared-bytes.ts';
import { toBuffer } from '../../../sdk/http/to-buffer.ts';
import type { Job } from '../../kernel/store/job.ts';
import {
  findId,
  readBodies,
  readId,
  readLabelNames,
  readNote,
  type SealedBodies,
  writeAlone,
  writeBodies,
  writeLabelNames,
  writeNote,
} from '../encoding/note-codec.ts';
import { NoteReader, NoteWriter } from '../encoding/note-writer.ts';
import { type FinishedRequest, type LoggedBodies, noteRequest } from '../encoding/noted-request.ts';
import type { LogTables } from './log-store.ts';
import { type NewRecord, toRecord } from './to-record.ts';
import { insertRecords } from './write-records.ts';

/** How many requests are converted to records at a time. Records of twice as many survive V8's cheap collections. */
const recordsAtOnce = 50;
/** Initial memory for one note, in bytes. */
const defaultNoteBytes = 1024;

/**
 * Returns the data that is handed over: the notes, preceded by the names of labels with hourly sums and by the bodies, if there
 * are any.
 */
export const workBytes = (notes: Uint8Array, bodies: SealedBodies, labels: readonly string[] = []): Uint8Array => {
  if (bodies.size === 0 && labels.length === 0) return notes;
  const writer = new NoteWriter(defaultNoteBytes);
  if (labels.length > 0) writeLabelNames(writer, labels);
  if (bodies.size > 0) writeBodies(writer, bodies);
  const work = sharedBytes(writer.length + notes.length);
  work.set(writer.part(0, writer.length));
  work.set(notes, writer.length);
  return work;
};

const toReader = (work: Uint8Array): NoteReader => {
  const reader = new NoteReader();
  reader.begin(toBuffer(work));
  return reader;
};

/** Splits a batch, so that each note is handed over separately with its bodies; empty if the notes themselves cannot be read. */
export const notesAlone = (
  notes: Uint8Array,
  bodies: SealedBodies,
  labels: readonly string[] = [],
): readonly Uint8Array[] => {
  const reader = toReader(notes);
  const alone: Uint8Array[] = [];
  try {
    while (!reader.isAtEnd) {
      const note = readNote(reader);
      const writer = new NoteWriter(defaultNoteBytes);
      writeAlone(writer, note);
      const own = [...bodies].filter(([id]) => id === note.id);
      alone.push(workBytes(writer.part(0, writer.length), new Map(own), labels));
    }
  } catch {
    return [];
  }
  return alone;
};

/** Yields the records of the requests that were handed over, a limited number at a time. */
function* readWork(reader: NoteReader): Generator<readonly NewRecord[]> {
  const bodies = readBodies(reader);
  while (!reader.isAtEnd) {
    const records: NewRecord[] = [];
    while (!reader.isAtEnd && records.length < recordsAtOnce) {
      const note = readNote(reader);
      records.push(toRecord(note, { bodies: bodies.get(note.id), isStorable: reader.isStorable }));
    }
    yield records;
  }
}

/** Writes the records of requests, which arrive as `workBytes` creates them. */
export const job: Job<LogTables> = (writing, { kind, bytes }) => {
  const reader = toReader(bytes);
  const labels = readLabelNames(reader);
  return insertRecords(writing, readWork(reader), { kind, areNew: true, labels });
};

/** A request whose bodies are sealed. */
export interface WithBodies {
  readonly id: string;
  readonly workspace: string;
  readonly bodies: LoggedBodies;
}

/** The maximum number of records in a transaction. With fewer, the same index pages would be written more often. */
const maxRecords = 2000;
/** The maximum number of bytes of notes in a transaction; the last note may exceed it. */
const maxBytes = 2 * 1024 * 1024;
/**
 * How many memories for notes are kept for reuse, unless they are larger than `maxKeptBytes`. Two are in use while requests
 * arrive as fast as they are written.
 */
const maxKept = 2;
const maxKeptBytes = 2 * maxBytes;

/** Requests that are written in one transaction. Their notes wait outside of the heap, in memory that threads share. */
export class WaitingBatch {
  readonly withBodies: WithBodies[] = [];
  readonly writer: NoteWriter;
  #count = 0;
  #bytes = 0;
  #lastAt = 0;

  constructor(writer: NoteWriter) {
    this.writer = writer;
  }

  get count(): number {
    return this.#count;
  }

  /** The bytes of its notes and bodies. */
  get bytes(): number {
    return this.#bytes;
  }

  get isFull(): boolean {
    return this.#count >= maxRecords || this.writer.length >= maxBytes;
  }

  /** Its notes, in the same memory. */
  get notes(): Uint8Array {
    return this.writer.part(0, this.writer.length);
  }

  /**
   * Adds a request and returns true, or returns false if no note can be created of it, or if the note and its bodies have more
   * bytes than there is room for.
   *
   * @param id the id of a request that already has one
   */
  add(request: FinishedRequest, room: number, id?: Uint8Array): boolean {
    const before = this.writer.length;
    const { workspace, bodies } = request;
    const isWritten = this.#write(request, id ?? request.at);
    const noteBytes = this.writer.length - before;
    const size = noteBytes + (bodies?.request?.length ?? 0) + (bodies?.response?.length ?? 0);
    if (!isWritten || size > room) {
      this.writer.cut(before);
      return false;
    }
    this.#count += 1;
    this.#bytes += size;
    if (bodies !== undefined) this.withBodies.push({ id: readId(this.notes, before), workspace, bodies });
    this.#lastAt = before;
    return true;
  }

  /** The id bytes of the last added request, which must be read immediately. */
  get lastId(): Uint8Array {
    return findId(this.notes, this.#lastAt);
  }

  get lastIdText(): string {
    return readId(this.notes, this.#lastAt);
  }

  #write(request: FinishedRequest, id: Uint8Array | number): boolean {
    try {
      writeNote(this.writer, noteRequest(request), id);
      return true;
    } catch {
      return false;
    }
  }
}

/** Memory for batches, which is reused, because allocating memory costs more than writing the data. */
export class BatchMemory {
  readonly #free: NoteWriter[] = [];

  batch(): WaitingBatch {
    return new WaitingBatch(this.#free.pop() ?? new NoteWriter());
  }

  /** Takes back the memory of a batch that nobody reads any more. */
  release({ writer }: WaitingBatch): void {
    if (this.#free.length === maxKept || writer.capacity > maxKeptBytes) return;
    writer.restart();
    this.#free.push(writer);
  }
}
