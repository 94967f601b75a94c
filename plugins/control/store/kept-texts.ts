import { sharedBytes } from '../../sdk/records/shared-bytes.ts';

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

/** Texts as lines, in memory that threads share. */
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
