import type { BatchTaker } from './records/record-batches.ts';

/**
 * A batch has this many bytes, about 300 records, or 30 with requests and answers, if none is longer: what is written of it
 * leaves room in the processor's second cache for what serves requests.
 */
const batchBytes = 64 * 1024;
/** The most batches that wait to be read. */
const maxBatches = 128;

export interface BatchPoolOptions {
  /** How many batches were read, modulo 2^32: the reader counts them when it is done with each. */
  readonly read: Int32Array<SharedArrayBuffer>;
  /** Notifies the reader of a batch, in shared memory that is written again after it was read. */
  readonly post: (records: Uint8Array) => void;
}

/** A batch that was handed over. */
interface Posted {
  readonly memory: ArrayBufferLike;
  readonly bytes: number;
}

/**
 * Memory for batches that is shared with their reader and used again and again: new memory for each would cost more than
 * what is written into it. What was read last is written first, because it is still in the processor's cache.
 */
export class BatchPool implements BatchTaker {
  readonly #read: Int32Array<SharedArrayBuffer>;
  readonly #post: BatchPoolOptions['post'];
  readonly #free: ArrayBufferLike[] = [];
  readonly #waiting: Posted[] = [];
  #waitingBytes = 0;
  /** How many batches it has seen read. */
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

  /** Forgets what waits: nobody will read it. */
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
    // What is longer than usual is not kept.
    if (memory.byteLength === batchBytes) this.#free.push(memory);
  }
}
