import { recordSeparator, type TelemetryRecord, writeRecord } from './records.ts';

/** Takes batches of records; they are its own from then on. */
export interface BatchTaker {
  take(batch: Uint8Array<ArrayBuffer>): void;
  /** The bytes of batches that it has taken and not read. */
  waitingBytes(): number;
}

/** A batch has this many bytes, about 500 records, if no record is longer. */
const batchBytes = 128 * 1024;
/** The longest that a record waits for others. */
const gatherMs = 100;
/** Where more waits to be read, spans are dropped, about 4,000; and with this much, everything. */
const mostBytesForSpans = 8 * batchBytes;
const mostBytes = 32 * batchBytes;
/** UTF-8 has at most so many bytes for a unit of UTF-16. */
const mostBytesOfUnit = 3;

/**
 * Gathers records outside of the heap, where they cost the garbage collector nothing, and hands them over in batches. Where
 * they are not read as fast as they come, they are dropped, those of spans first; the operator is told once.
 */
export class RecordBatches {
  readonly #taker: BatchTaker;
  readonly #tell: (text: string) => void;
  #batch: Buffer<ArrayBuffer> | undefined;
  #used = 0;
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

  add(record: TelemetryRecord): void {
    if (this.#taker.waitingBytes() >= mostBytes) {
      this.#drop();
      return;
    }
    const text = writeRecord(record);
    const batch = this.#roomFor(text.length * mostBytesOfUnit + 1);
    this.#used += batch.write(text, this.#used);
    batch[this.#used] = recordSeparator;
    this.#used += 1;
  }

  /** Hands over what was gathered. */
  flush(): void {
    clearTimeout(this.#timer);
    const batch = this.#batch;
    if (batch === undefined) return;
    this.#batch = undefined;
    this.#taker.take(batch.subarray(0, this.#used));
  }

  /** How many records were dropped. */
  get dropped(): number {
    return this.#dropped;
  }

  #roomFor(bytes: number): Buffer {
    if (this.#batch !== undefined && this.#used + bytes <= this.#batch.length) return this.#batch;
    this.flush();
    this.#batch = Buffer.allocUnsafeSlow(Math.max(batchBytes, bytes));
    this.#used = 0;
    this.#timer = setTimeout(() => this.flush(), gatherMs).unref();
    return this.#batch;
  }

  #drop(): void {
    this.#dropped += 1;
    if (this.#dropped > 1) return;
    this.#tell(
      'Spans are dropped, because there are more than can be sent. Others that follow are counted, and told when the gateway ends.',
    );
  }
}
