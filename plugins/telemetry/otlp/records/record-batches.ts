import { RecordWriter } from '../../../sdk/binary/record-writer.ts';
import { DropLog } from './drop-log.ts';
import { writeRecord } from './record-codec.ts';
import type { WrittenRecord } from './records.ts';

/** Takes batches of records. */
export interface BatchTaker {
  /** Returns at least this many bytes for the next batch. Undefined while too many batches wait to be read. */
  next(bytes: number): Buffer | undefined;
  /** Takes the records that were written into a batch. */
  take(records: Uint8Array): void;
  /** Returns the number of bytes in batches that have been taken but not read. */
  waitingBytes(): number;
}

/** The maximum time that a record waits for others, in milliseconds. */
const gatherMs = 100;
/** If more is waiting to be read, that is, a few thousand records or several hundred with copies, spans are dropped. */
const maxBytesForSpans = 2 * 1024 * 1024;

/**
 * Collects records outside of the heap, so that the garbage collector need not process them, and passes them on in batches. If
 * they are not read fast enough, they are dropped, spans first, and the operator is notified once.
 */
export class RecordBatches {
  readonly #taker: BatchTaker;
  readonly #drops: DropLog;
  readonly #writer = new RecordWriter();
  /** The memory of the next batch. Undefined if it is empty. */
  #batch: Buffer | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(taker: BatchTaker, log: (text: string) => void) {
    this.#taker = taker;
    this.#drops = new DropLog({ what: 'spans and measurements', because: 'there are more than can be sent', log });
  }

  /** Whether there is room for a span. If not, it counts as dropped. */
  takesSpan(): boolean {
    if (this.#taker.waitingBytes() < maxBytesForSpans) return true;
    this.#drops.add();
    return false;
  }

  /** Adds a record, or drops it if there is no room. Throws if a plugin has put a value other than text into it. */
  add(record: WrittenRecord): void {
    const before = this.#writer.length;
    try {
      writeRecord(this.#writer, record);
    } catch (error) {
      this.#writer.cut(before);
      throw error;
    }
    if (this.#hasRoom(before)) return;
    this.#writer.cut(0);
    this.#drops.add();
  }

  /** Passes on what was collected. */
  flush(): void {
    this.#handOver(this.#writer.length);
  }

  /** Passes on what is left, and reports how many records were dropped. */
  end(): void {
    this.flush();
    this.#drops.end();
  }

  /** Whether there is a batch for the last record, which starts at this offset. */
  #hasRoom(start: number): boolean {
    if (this.#batch !== undefined && this.#writer.length <= this.#batch.length) return true;
    this.#handOver(start);
    this.#batch = this.#taker.next(this.#writer.length);
    if (this.#batch !== undefined) this.#gather();
    return this.#batch !== undefined;
  }

  /** Passes on this many bytes of complete records. */
  #handOver(bytes: number): void {
    clearTimeout(this.#timer);
    const batch = this.#batch;
    if (batch === undefined) return;
    this.#batch = undefined;
    this.#writer.take(bytes, batch);
    this.#taker.take(batch.subarray(0, bytes));
  }

  #gather(): void {
    this.#timer = setTimeout(() => {
      // While others wait to be read, many small batches would not help.
      if (this.#taker.waitingBytes() > 0) this.#gather();
      else this.flush();
    }, gatherMs).unref();
  }
}
