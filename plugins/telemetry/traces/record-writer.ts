import { codes, firstName, longestName, mostBytesOfUnit, mostNames } from './coded-texts.ts';

const usualBytes = 64 * 1024;
const shortText = 64;
const lastOfAscii = 0x7f;
const bytesOfCode = 2;
const bytesOfLength = 4;
const bytesOfNumber = 8;

/** Writes the members of records, outside of the heap, for a `RecordReader`. */
export class RecordWriter {
  #bytes = Buffer.allocUnsafeSlow(usualBytes);
  #view = new DataView(this.#bytes.buffer);
  #used = 0;
  /** The codes of names. */
  readonly #names = new Map<string, number>();

  /** How many bytes were written and not taken. */
  get length(): number {
    return this.#used;
  }

  /** A number from 0 to 255. */
  small(value: number): void {
    const at = this.#next(1);
    this.#view.setUint8(at, value);
  }

  number(value: number | null): void {
    const at = this.#next(bytesOfNumber);
    this.#view.setFloat64(at, value ?? Number.NaN);
  }

  /** A text that others do not repeat. Halves of pairs of UTF-16 become U+FFFD. */
  text(value: string | null): void {
    this.#code(value === null ? codes.none : codes.text);
    if (value !== null) this.#spell(value);
  }

  /** A text that many records have: it is written once, and later its number in the list of them. */
  name(value: string | null): void {
    const code = value === null ? codes.none : this.#names.get(value);
    if (code !== undefined) this.#code(code);
    else if (value !== null) this.#learn(value);
  }

  bytes(value: Uint8Array): void {
    const at = this.#next(bytesOfLength + value.length);
    this.#view.setUint32(at, value.length);
    this.#bytes.set(value, at + bytesOfLength);
  }

  /** Moves the first bytes to the start of `target`. */
  take(bytes: number, target: Buffer): void {
    target.fill(this.#bytes.subarray(0, bytes), 0, bytes);
    this.#bytes.copyWithin(0, bytes, this.#used);
    this.#used -= bytes;
  }

  /** Forgets what was written after so many bytes, with all names, because those that were new in it will not be read. */
  cut(bytes: number): void {
    this.#used = bytes;
    this.#names.clear();
  }

  #learn(name: string): void {
    if (name.length > longestName) {
      this.text(name);
      return;
    }
    if (this.#names.size === mostNames) this.#names.clear();
    this.#code(this.#names.size === 0 ? codes.onlyName : codes.name);
    this.#names.set(name, firstName + this.#names.size);
    this.#spell(name);
  }

  #code(code: number): void {
    const at = this.#next(bytesOfCode);
    this.#view.setUint16(at, code);
  }

  #spell(text: string): void {
    if (typeof text !== 'string') throw new TypeError(`A record has the text ${String(text)}, which is none.`);
    const most = text.length * mostBytesOfUnit;
    const at = this.#next(bytesOfLength + most);
    const bytes = this.#put(text, at + bytesOfLength);
    this.#view.setUint32(at, bytes);
    this.#used -= most - bytes;
  }

  /** Gives how many bytes it takes. */
  #put(text: string, at: number): number {
    const { length } = text;
    // A call of `write` takes longer than a short text does.
    if (length > shortText) return this.#bytes.write(text, at);
    for (let unit = 0; unit < length; unit += 1) {
      const code = text.charCodeAt(unit);
      if (code > lastOfAscii) return this.#bytes.write(text, at);
      this.#bytes[at + unit] = code;
    }
    return length;
  }

  /** Where the next so many bytes go. */
  #next(bytes: number): number {
    const at = this.#used;
    this.#used += bytes;
    if (this.#used > this.#bytes.length) this.#grow();
    return at;
  }

  #grow(): void {
    const larger = Buffer.allocUnsafeSlow(this.#used * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}
