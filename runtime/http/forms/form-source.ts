/** The bytes of a form as it was received, of which parts are read as often as needed. */
export interface FormSource {
  /** All of its bytes. */
  readonly length: number;
  /** The bytes from one offset up to another. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
}

/** A form that is in memory. */
export const memorySource = (bytes: Uint8Array): FormSource => ({
  length: bytes.length,
  async *read(from, to) {
    if (to > from) yield bytes.subarray(from, to);
  },
});
