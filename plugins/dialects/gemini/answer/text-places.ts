import { lastUpTo } from '../../shared/json/last-up-to.ts';

/** How many bytes lie between two remembered places. */
const stride = 1024;

/** Whether a byte continues a character. */
const continues = (byte: number | undefined): boolean => byte !== undefined && byte >> 6 === 2;

const nearest = (marks: readonly number[], value: number): number =>
  lastUpTo(marks.length, (index) => marks[index] ?? 0, value);

/**
 * Converts places in a text from bytes to characters, and the reverse. An answer may cite a long text thousands of times, so a
 * place is found from the nearest known one instead of from the beginning.
 */
export class TextPlaces {
  readonly #text: string;
  readonly #bytes: Buffer;
  /** Bytes at which characters begin, and the number of characters before each. */
  readonly #byteMarks: number[] = [0];
  readonly #characterMarks: number[] = [0];

  constructor(text: string) {
    this.#text = text;
    this.#bytes = Buffer.from(text, 'utf8');
    let [at, characters] = [0, 0];
    while (at + stride < this.#bytes.length) {
      let next = at + stride;
      while (continues(this.#bytes[next])) next -= 1;
      characters += this.#bytes.toString('utf8', at, next).length;
      this.#byteMarks.push(next);
      this.#characterMarks.push(characters);
      at = next;
    }
  }

  /** Returns the number of characters before a byte. */
  characterAt(byte: number): number {
    const wanted = Math.max(0, Math.floor(byte));
    const mark = nearest(this.#byteMarks, wanted);
    const from = this.#byteMarks[mark] ?? 0;
    const end = Math.min(wanted, from + 2 * stride);
    return (this.#characterMarks[mark] ?? 0) + this.#bytes.toString('utf8', from, end).length;
  }

  /** Returns the number of bytes before a character. */
  byteAt(character: number): number {
    const mark = nearest(this.#characterMarks, character);
    const from = this.#characterMarks[mark] ?? 0;
    return (this.#byteMarks[mark] ?? 0) + Buffer.byteLength(this.#text.slice(from, character), 'utf8');
  }
}
