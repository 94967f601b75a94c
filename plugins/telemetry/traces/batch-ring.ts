import type { BatchTaker } from './record-batches.ts';

/** A batch has this many bytes, about 1,000 records, or less than 100 with copies, if none is longer. */
const batchBytes = 256 * 1024;
/** The most batches that wait to be read. */
const mostBatches = 32;

export interface BatchRingOptions {
  /** How many batches were read, modulo 2^32: the reader counts them when it is done with each. */
  readonly read: Int32Array<SharedArrayBuffer>;
  /** Tells the reader of a batch, in shared memory that is written again after it was read. */
  readonly post: (records: Uint8Array, copies: Uint8Array) => void;
}

/**
 * Memory for batches that is shared with their reader and used again and again: new memory for each would cost more than
 * what is written into it.
 */
export class BatchRing implements BatchTaker {
  readonly #read: Int32Array<SharedArrayBuffer>;
  readonly #post: BatchRingOptions['post'];
  readonly #slots: SharedArrayBuffer[] = [];
  readonly #sizes: number[] = [];
  #posted = 0;
  #waitingBytes = 0;
  /** How many batches it has seen read. */
  #seen = 0;

  constructor({ read, post }: BatchRingOptions) {
    this.#read = read;
    this.#post = post;
  }

  next(bytes: number): Buffer | undefined {
    this.#look();
    if (this.#posted - this.#seen >= mostBatches) return undefined;
    // What is longer than usual is not kept.
    if (bytes > batchBytes) return Buffer.from(new SharedArrayBuffer(bytes));
    const slot = this.#posted % mostBatches;
    const memory = this.#slots[slot] ?? new SharedArrayBuffer(batchBytes);
    this.#slots[slot] = memory;
    return Buffer.from(memory);
  }

  take(records: Uint8Array, copies: Uint8Array): void {
    const bytes = records.length + copies.length;
    this.#sizes[this.#posted % mostBatches] = bytes;
    this.#waitingBytes += bytes;
    this.#posted += 1;
    this.#post(records, copies);
  }

  waitingBytes(): number {
    this.#look();
    return this.#waitingBytes;
  }

  /** Forgets what waits: nobody will read it. */
  clear(): void {
    this.#seen = this.#posted;
    this.#waitingBytes = 0;
    Atomics.store(this.#read, 0, this.#posted);
  }

  #look(): void {
    for (let more = (Atomics.load(this.#read, 0) - this.#seen) | 0; more > 0; more -= 1) {
      this.#waitingBytes -= this.#sizes[this.#seen % mostBatches] ?? 0;
      this.#seen += 1;
    }
  }
}
