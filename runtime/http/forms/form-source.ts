/** The bytes of a form as it was received. Parts of it can be read as often as needed. */
export interface FormSource {
  /** The total number of bytes. */
  readonly length: number;
  /** Reads the bytes from one offset up to another. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
}

/** A form in memory. */
export const memorySource = (bytes: Uint8Array): FormSource => ({
  length: bytes.length,
  async *read(from, to) {
    if (to > from) yield bytes.subarray(from, to);
  },
});
