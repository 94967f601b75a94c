/** Bytes that are counted as they are read. */
export class CountedBytes implements AsyncIterable<Uint8Array> {
  readonly #bytes: AsyncIterable<Uint8Array>;
  #count = 0;

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#bytes = bytes;
  }

  /** How many were read so far. */
  get count(): number {
    return this.#count;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    for await (const piece of this.#bytes) {
      this.#count += piece.length;
      yield piece;
    }
  }
}
