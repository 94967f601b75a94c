import { holdChunk } from '../http/hold-chunk.ts';

/** No bytes. */
export const noBytes: Buffer = Buffer.alloc(0);

/**
 * The bytes of a stream since the last border between frames. They are joined when a frame is complete, or when there are many
 * small chunks.
 */
export class OpenBytes {
  #chunks: Buffer[] = [];
  size = 0;

  push(chunk: Buffer): void {
    if (chunk.length === 0) return;
    holdChunk(this.#chunks, chunk);
    this.size += chunk.length;
  }

  /** Joins all bytes, which stay open. */
  join(): Buffer {
    const [first, second] = this.#chunks;
    if (first === undefined) return noBytes;
    if (second === undefined) return first;
    const joined = Buffer.concat(this.#chunks, this.size);
    this.#chunks = [joined];
    return joined;
  }

  /** Takes the first `length` bytes. Those after them stay open. */
  take(length: number): Buffer {
    const all = this.join();
    this.size = all.length - length;
    this.#chunks = this.size === 0 ? [] : [all.subarray(length)];
    return this.size === 0 ? all : all.subarray(0, length);
  }
}
