/** Bytes of memory that texts share. */
const chunkBytes = 256 * 1024;

/** The most that a character of a string takes. */
const bytesOfCharacter = 3;

const comma = Buffer.from(',');

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

/** Texts as one, with commas between them, and others around them. */
export const joinedTexts = (
  texts: readonly Uint8Array[],
  { before, after }: { readonly before: string; readonly after: string },
): Uint8Array => {
  const parts: Uint8Array[] = [Buffer.from(before)];
  for (const [at, text] of texts.entries()) {
    if (at > 0) parts.push(comma);
    parts.push(text);
  }
  parts.push(Buffer.from(after));
  return Buffer.concat(parts);
};
