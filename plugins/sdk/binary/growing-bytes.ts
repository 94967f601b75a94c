const defaultBytes = 64 * 1024;
const shortText = 64;
const lastOfAscii = 0x7f;

/** A growing sequence of bytes outside of the heap. */
export class GrowingBytes {
  protected memory: Buffer;
  protected view: DataView;
  protected used = 0;

  readonly #allocate: (bytes: number) => Buffer;

  /**
   * @param capacity the initial capacity
   * @param allocate creates a Buffer with memory of its own
   */
  constructor(capacity: number = defaultBytes, allocate: (bytes: number) => Buffer = Buffer.allocUnsafeSlow) {
    this.#allocate = allocate;
    this.memory = allocate(capacity);
    this.view = new DataView(this.memory.buffer);
  }

  /** The number of bytes. */
  get length(): number {
    return this.used;
  }

  /** Returns some of the bytes. The result is valid until more are appended. */
  part(begin: number, end: number): Uint8Array {
    return this.memory.subarray(begin, end);
  }

  /** Reserves the next `count` bytes and returns their offset. */
  protected next(count: number): number {
    const at = this.used;
    this.used += count;
    if (this.used > this.memory.length) this.#grow();
    return at;
  }

  /** Writes a text in UTF-8 where there is room for it, and returns its length in bytes. Lone surrogates become U+FFFD. */
  protected put(text: string, at: number): number {
    const { memory } = this;
    const { length } = text;
    // For a short text, calling `write` is slower than this loop.
    if (length > shortText) return memory.write(text, at);
    for (let unit = 0; unit < length; unit += 1) {
      const code = text.charCodeAt(unit);
      if (code > lastOfAscii) return memory.write(text, at);
      memory[at + unit] = code;
    }
    return length;
  }

  #grow(): void {
    const larger = this.#allocate(this.used * 2);
    larger.set(this.memory);
    this.memory = larger;
    this.view = new DataView(larger.buffer);
  }
}
