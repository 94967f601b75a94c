import { toBuffer } from '../../../sdk/http/to-buffer.ts';
import { readId, writeNote } from '../recording/note-codec.ts';
import { NoteWriter } from '../recording/note-writer.ts';
import { type FinishedRequest, type LoggedBodies, noteRequest } from '../recording/noted-request.ts';

/** A request whose bodies are sealed. */
export interface WithBodies {
  readonly id: string;
  readonly workspace: string;
  readonly bodies: LoggedBodies;
}

/** Records of one transaction: fewer would have the same pages of the indexes written more often. */
const maxRecords = 2000;
/** Bytes of notes of one transaction; the last one may go beyond it. */
const maxBytes = 2 * 1024 * 1024;
/** Memory for notes that is kept to be used again, if it is no larger. Two are in use while requests come as fast as they are written. */
const maxKept = 2;
const maxKeptBytes = 2 * maxBytes;

const measureSize = (bodies: LoggedBodies | undefined): number =>
  (bodies?.request?.length ?? 0) + (bodies?.response?.length ?? 0);

/** Requests that are written in one transaction. Their notes wait outside of the heap, in memory that threads share. */
export class WaitingBatch {
  readonly withBodies: WithBodies[] = [];
  readonly writer: NoteWriter;
  #count = 0;
  #bytes = 0;

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

  /** Its notes, over the same memory. */
  get notes(): Uint8Array {
    return this.writer.part(0, this.writer.length);
  }

  /** Adds a request, and says whether it did: not if no note can be made of it, or if that and its bodies have more bytes than there is room for. */
  add(request: FinishedRequest, room: number): boolean {
    const before = this.writer.length;
    const isWritten = this.#write(request);
    const size = this.writer.length - before + measureSize(request.bodies);
    if (!isWritten || size > room) {
      this.writer.cut(before);
      return false;
    }
    this.#count += 1;
    this.#bytes += size;
    const { workspace, bodies } = request;
    if (bodies !== undefined) this.withBodies.push({ id: readId(toBuffer(this.notes), before), workspace, bodies });
    return true;
  }

  #write(request: FinishedRequest): boolean {
    try {
      writeNote(this.writer, noteRequest(request), request.at);
      return true;
    } catch {
      return false;
    }
  }
}

/** Memory for batches, which is used again: new memory costs more than what is written into it. */
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
