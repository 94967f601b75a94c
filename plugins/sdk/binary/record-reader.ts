import { codes, firstName } from './coded-texts.ts';

const bytesOfCode = 2;
const bytesOfLength = 4;
const bytesOfNumber = 8;

/**
 * Reads everything that a `RecordWriter` wrote, in the same order and in as many pieces as it was taken. Throws if the bytes are
 * something else.
 */
export class RecordReader {
  #bytes: Buffer = Buffer.alloc(0);
  #view: DataView = new DataView(this.#bytes.buffer);
  #at = 0;
  readonly #names: string[] = [];

  /** Starts with the next piece. */
  begin(piece: Buffer): void {
    this.#bytes = piece;
    this.#view = new DataView(piece.buffer, piece.byteOffset, piece.length);
    this.#at = 0;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** Skips a small number if it has this value, and returns whether it does. */
  passes(value: number): boolean {
    if (this.isAtEnd || this.#view.getUint8(this.#at) !== value) return false;
    this.#at += 1;
    return true;
  }

  small(): number {
    return this.#view.getUint8(this.#next(1));
  }

  number(): number {
    return this.#view.getFloat64(this.#next(bytesOfNumber));
  }

  numberOrNull(): number | null {
    const value = this.number();
    return Number.isNaN(value) ? null : value;
  }

  textOrNull(): string | null {
    const code = this.#view.getUint16(this.#next(bytesOfCode));
    if (code === codes.none) return null;
    if (code >= firstName) return this.#known(code - firstName);
    const text = this.spelled();
    if (code === codes.text) return text;
    if (code === codes.onlyName) this.#names.length = 0;
    this.#names.push(text);
    return text;
  }

  text(): string {
    return this.textOrNull() ?? '';
  }

  /** Returns bytes that share the memory of the piece. */
  bytes(): Uint8Array {
    const [from, end] = this.#lengthened();
    return this.#bytes.subarray(from, end);
  }

  /** Returns `count` bytes that were written without a length and share the memory of the piece. */
  protected part(count: number): Buffer {
    const from = this.#next(count);
    return this.#bytes.subarray(from, this.#at);
  }

  #known(at: number): string {
    const name = this.#names[at];
    if (name === undefined)
      throw new RangeError(`A record has the name ${at}, but only ${this.#names.length} are known.`);
    return name;
  }

  protected spelled(): string {
    const [from, end] = this.#lengthened();
    return this.#bytes.toString('utf8', from, end);
  }

  /** Returns the start and the end of a value that is preceded by its length. */
  #lengthened(): readonly [from: number, end: number] {
    const bytes = this.#view.getUint32(this.#next(bytesOfLength));
    const from = this.#next(bytes);
    if (this.#at > this.#bytes.length) throw new RangeError('A record extends beyond the end of the bytes.');
    return [from, this.#at];
  }

  #next(bytes: number): number {
    const at = this.#at;
    this.#at += bytes;
    return at;
  }
}
