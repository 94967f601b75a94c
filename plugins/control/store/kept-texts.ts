/** Bytes of memory that texts share. */
const chunkBytes = 256 * 1024;

/** The most that a character of a string takes. */
const bytesOfCharacter = 3;

const newline = 0x0a;

/**
 * Keeps texts outside of the heap while they wait, where they cost the garbage collector nothing. What is kept of a text is
 * its UTF-8.
 */
export class TextKeeper {
  #chunk = Buffer.alloc(0);
  #used = 0;

  keep(text: string): Buffer {
    const most = text.length * bytesOfCharacter;
    if (this.#used + most > this.#chunk.length) {
      this.#chunk = Buffer.allocUnsafeSlow(Math.max(chunkBytes, Buffer.byteLength(text)));
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += this.#chunk.write(text, start);
    return this.#chunk.subarray(start, this.#used);
  }
}

/** Bytes that threads share, so that handing them over copies nothing. Whoever has done so changes them no more. */
const sharedBytes = (length: number): Buffer => Buffer.from(new SharedArrayBuffer(length));

/** Lines of UTF-8 that are gathered to be handed over to a thread together. They take `size` bytes at most. */
export class GatheredLines {
  readonly #bytes: Buffer;
  #used = 0;

  /** @param size bytes; more where the first line needs them */
  constructor(size: number, first: string) {
    this.#bytes = sharedBytes(Math.max(size, Buffer.byteLength(first)));
    this.#used = this.#bytes.write(first);
  }

  /** The bytes of its lines. */
  get size(): number {
    return this.#used;
  }

  /** False if there is no room for it. */
  add(line: string): boolean {
    if (this.#used + line.length * bytesOfCharacter >= this.#bytes.length) return false;
    this.#bytes[this.#used] = newline;
    this.#used += 1 + this.#bytes.write(line, this.#used + 1);
    return true;
  }

  /** Over the same memory. */
  text(): Buffer {
    return this.#bytes.subarray(0, this.#used);
  }
}

/** Texts as lines. */
export const joinedLines = (texts: readonly Uint8Array[]): Uint8Array => {
  const lines = sharedBytes(texts.reduce((sum, { length }) => sum + length + 1, -1));
  let end = 0;
  for (const text of texts) {
    if (end > 0) {
      lines[end] = newline;
      end += 1;
    }
    lines.set(text, end);
    end += text.length;
  }
  return lines;
};
