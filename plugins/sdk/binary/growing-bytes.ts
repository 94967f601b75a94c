const defaultBytes = 64 * 1024;
const shortText = 64;
const lastOfAscii = 0x7f;

/** Bytes outside of the heap, to which more are appended. */
export class GrowingBytes {
  protected memory: Buffer;
  protected view: DataView;
  protected used = 0;

  readonly #allocate: (bytes: number) => Buffer;

  /**
   * @param capacity how many there is room for at first
   * @param allocate makes a Buffer that has its memory for itself
   */
  constructor(capacity: number = defaultBytes, allocate: (bytes: number) => Buffer = Buffer.allocUnsafeSlow) {
    this.#allocate = allocate;
    this.memory = allocate(capacity);
    this.view = new DataView(this.memory.buffer);
  }

  /** How many there are. */
  get length(): number {
    return this.used;
  }

  /** Some of them, which are those that were appended until more are. */
  part(begin: number, end: number): Uint8Array {
    return this.memory.subarray(begin, end);
  }

  /** Where the next so many go. */
  protected next(count: number): number {
    const at = this.used;
    this.used += count;
    if (this.used > this.memory.length) this.#grow();
    return at;
  }

  /** Puts a text in UTF-8 where there is room for it, and gives how many bytes it takes. Halves of pairs of UTF-16 become U+FFFD. */
  protected put(text: string, at: number): number {
    const { memory } = this;
    const { length } = text;
    // A call of `write` takes longer than a short text does.
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
