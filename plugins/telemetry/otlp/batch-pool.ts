import type { BatchTaker } from './records/record-batches.ts';

/**
 * The size of a batch: about 300 records, or 30 with requests and answers, unless a single one is longer. It leaves room in the
 * processor's second-level cache for the code that serves requests.
 */
const batchBytes = 64 * 1024;
/** The maximum number of batches that wait to be read. */
const maxBatches = 128;

export interface BatchPoolOptions {
  /** How many batches were read, modulo 2^32. The reader increments it when it has finished a batch. */
  readonly read: Int32Array<SharedArrayBuffer>;
  /** Notifies the reader of a batch, in shared memory that is reused after it was read. */
  readonly post: (records: Uint8Array) => void;
}

/** A batch that was handed over. */
interface Posted {
  readonly memory: ArrayBufferLike;
  readonly bytes: number;
}

/**
 * Shared memory for batches, which is reused because new memory for each batch would cost more than what is written into it. The
 * memory that was read last is written first, because it is still in the processor's cache.
 */
export class BatchPool implements BatchTaker {
  readonly #read: Int32Array<SharedArrayBuffer>;
  readonly #post: BatchPoolOptions['post'];
  readonly #free: ArrayBufferLike[] = [];
  readonly #waiting: Posted[] = [];
  #waitingBytes = 0;
  /** How many batches are known to have been read. */
  #seen = 0;

  constructor({ read, post }: BatchPoolOptions) {
    this.#read = read;
    this.#post = post;
  }

  next(bytes: number): Buffer | undefined {
    this.#look();
    if (this.#waiting.length >= maxBatches) return undefined;
    if (bytes > batchBytes) return Buffer.from(new SharedArrayBuffer(bytes));
    return Buffer.from(this.#free.pop() ?? new SharedArrayBuffer(batchBytes));
  }

  take(records: Uint8Array): void {
    this.#waiting.push({ memory: records.buffer, bytes: records.length });
    this.#waitingBytes += records.length;
    this.#post(records);
  }

  waitingBytes(): number {
    this.#look();
    return this.#waitingBytes;
  }

  /** Discards waiting batches, which will not be read. */
  clear(): void {
    this.#seen = (this.#seen + this.#waiting.length) | 0;
    this.#waiting.length = 0;
    this.#waitingBytes = 0;
    Atomics.store(this.#read, 0, this.#seen);
  }

  #look(): void {
    for (let more = (Atomics.load(this.#read, 0) - this.#seen) | 0; more > 0; more -= 1) {
      const posted = this.#waiting.shift();
      if (posted !== undefined) this.#forget(posted);
      this.#seen = (this.#seen + 1) | 0;
    }
  }

  #forget({ memory, bytes }: Posted): void {
    this.#waitingBytes -= bytes;
    // Memory that is larger than usual is not reused.
    if (memory.byteLength === batchBytes) this.#free.push(memory);
  }
}
