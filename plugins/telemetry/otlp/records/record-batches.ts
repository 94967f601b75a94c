import { RecordWriter } from '../../../sdk/binary/record-writer.ts';
import { DropLog } from './drop-log.ts';
import { writeRecord } from './record-codec.ts';
import type { WrittenRecord } from './records.ts';

/** Takes batches of records. */
export interface BatchTaker {
  /** At least so many bytes to write the next batch into; undefined while too many wait to be read. */
  next(bytes: number): Buffer | undefined;
  /** Takes the records that were written into one. */
  take(records: Uint8Array): void;
  /** The bytes of batches that it has taken and that are not read. */
  waitingBytes(): number;
}

/** The longest that a record waits for others. */
const gatherMs = 100;
/** Where more waits to be read, a few thousand records, or several hundred with copies, spans are dropped. */
const maxBytesForSpans = 2 * 1024 * 1024;

/**
 * Gathers records outside of the heap, where they cost the garbage collector nothing, and hands them over in batches. Where
 * they are not read as fast as they come, they are dropped, those of spans first; the operator is notified once.
 */
export class RecordBatches {
  readonly #taker: BatchTaker;
  readonly #drops: DropLog;
  readonly #writer = new RecordWriter();
  /** Where the next batch goes; undefined where it is empty. */
  #batch: Buffer | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(taker: BatchTaker, log: (text: string) => void) {
    this.#taker = taker;
    this.#drops = new DropLog({ what: 'spans and measurements', because: 'there are more than can be sent', log });
  }

  /** Whether there is room for a span; if not, it counts as dropped. */
  takesSpan(): boolean {
    if (this.#taker.waitingBytes() < maxBytesForSpans) return true;
    this.#drops.add();
    return false;
  }

  /** Drops it where there is no room. Throws where a plugin has put what is no text into it. */
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

  /** Hands over what was gathered. */
  flush(): void {
    this.#handOver(this.#writer.length);
  }

  /** Hands over what is left, and reports how many were dropped. */
  end(): void {
    this.flush();
    this.#drops.end();
  }

  /** Whether there is a batch for the last record, which begins after so many bytes. */
  #hasRoom(start: number): boolean {
    if (this.#batch !== undefined && this.#writer.length <= this.#batch.length) return true;
    this.#handOver(start);
    this.#batch = this.#taker.next(this.#writer.length);
    if (this.#batch !== undefined) this.#gather();
    return this.#batch !== undefined;
  }

  /** Hands over so many bytes of records, which are complete. */
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
      // While others wait to be read, it need not be many small ones that do.
      if (this.#taker.waitingBytes() > 0) this.#gather();
      else this.flush();
    }, gatherMs).unref();
  }
}
