/** Bytes of memory that texts share. */
const chunkBytes = 256 * 1024;

/** The most that a character of a string takes. */
const bytesOfCharacter = 3;

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

/** What is around texts that are joined. */
export interface Joints {
  readonly before: string;
  readonly between: string;
  readonly after: string;
}

/** Texts as one. */
export const joinedTexts = (texts: readonly Uint8Array[], { before, between, after }: Joints): Uint8Array => {
  const parts: Uint8Array[] = [Buffer.from(before)];
  const joint = Buffer.from(between);
  for (const [at, text] of texts.entries()) {
    if (at > 0) parts.push(joint);
    parts.push(text);
  }
  parts.push(Buffer.from(after));
  return Buffer.concat(parts);
};
