import { writeRecord } from './record-codec.ts';
import { RecordWriter } from './record-writer.ts';
import type { WrittenRecord } from './records.ts';

/** Takes batches of records. */
export interface BatchTaker {
  /** At least so many bytes to write the next batch into; undefined while too many wait to be read. */
  next(bytes: number): Buffer | undefined;
  /** Takes what was written into them: records from their start, and to their end what was copied beside the records. */
  take(records: Uint8Array, copies: Uint8Array): void;
  /** The bytes of batches that it has taken and that are not read. */
  waitingBytes(): number;
}

/** The longest that a record waits for others. */
const gatherMs = 100;
/** Where more waits to be read, a few thousand records, or several hundred with copies, spans are dropped. */
const mostBytesForSpans = 2 * 1024 * 1024;

/**
 * Gathers records outside of the heap, where they cost the garbage collector nothing, and hands them over in batches. Where
 * they are not read as fast as they come, they are dropped, those of spans first; the operator is told once.
 */
export class RecordBatches {
  readonly #taker: BatchTaker;
  readonly #tell: (text: string) => void;
  readonly #writer = new RecordWriter();
  /** Where the next batch goes; undefined where it is empty. */
  #batch: Buffer | undefined;
  /** Where copies begin: each is put before the last one. */
  #copied = 0;
  #timer: NodeJS.Timeout | undefined;
  #dropped = 0;

  constructor(taker: BatchTaker, tell: (text: string) => void) {
    this.#taker = taker;
    this.#tell = tell;
  }

  /** Whether there is room for a span; if not, it counts as dropped. */
  takesSpan(): boolean {
    if (this.#taker.waitingBytes() < mostBytesForSpans) return true;
    this.#drop();
    return false;
  }

  /** Drops it where there is no room. Of `copies`, the record has the lengths. Throws where a plugin has put what is no text into it. */
  add(record: WrittenRecord, copies: readonly Uint8Array[] = []): void {
    const before = this.#writer.length;
    try {
      writeRecord(this.#writer, record);
    } catch (error) {
      this.#writer.cut(before);
      throw error;
    }
    const beside = copies.reduce((sum, { length }) => sum + length, 0);
    const batch = this.#roomFor(before, beside);
    if (batch === undefined) {
      this.#writer.cut(0);
      this.#drop();
      return;
    }
    for (const copy of copies) {
      // `set` copies into shared memory byte by byte, which takes five times as long.
      batch.fill(copy, this.#copied - copy.length, this.#copied);
      this.#copied -= copy.length;
    }
  }

  /** Hands over what was gathered. */
  flush(): void {
    this.#handOver(this.#writer.length);
  }

  /** How many records were dropped. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The batch for the last record, which begins after so many bytes, and for so many bytes beside it. */
  #roomFor(start: number, beside: number): Buffer | undefined {
    if (this.#batch !== undefined && this.#writer.length + beside <= this.#copied) return this.#batch;
    this.#handOver(start);
    this.#batch = this.#taker.next(this.#writer.length + beside);
    this.#copied = this.#batch?.length ?? 0;
    if (this.#batch !== undefined) this.#gather();
    return this.#batch;
  }

  /** Hands over so many bytes of records, which are complete, with their copies. */
  #handOver(bytes: number): void {
    clearTimeout(this.#timer);
    const batch = this.#batch;
    if (batch === undefined) return;
    this.#batch = undefined;
    this.#writer.take(bytes, batch);
    this.#taker.take(batch.subarray(0, bytes), batch.subarray(this.#copied));
  }

  #gather(): void {
    this.#timer = setTimeout(() => {
      // While others wait to be read, it need not be many small ones that do.
      if (this.#taker.waitingBytes() > 0) this.#gather();
      else this.flush();
    }, gatherMs).unref();
  }

  #drop(): void {
    this.#dropped += 1;
    if (this.#dropped > 1) return;
    this.#tell(
      'Spans are dropped, because there are more than can be sent. Others that follow are counted, and told when the gateway ends.',
    );
  }
}
