import { codes, firstName, longestName, maxBytesOfUnit, maxNames } from './coded-texts.ts';
import { GrowingBytes } from './growing-bytes.ts';

const bytesOfCode = 2;
const bytesOfLength = 4;
const bytesOfNumber = 8;

/**
 * Writes the members of records for a `RecordReader`, and keeps them until they are taken. Each method that writes a member
 * returns the writer, so that the layout of a record can be written as one chain.
 */
export class RecordWriter extends GrowingBytes {
  /** The codes of names. */
  readonly #names = new Map<string, number>();
  /** The offset at which the last new name was written. */
  #learntAt = -1;

  /** Writes a number from 0 to 255. */
  small(value: number): this {
    const at = this.next(1);
    this.view.setUint8(at, value);
    return this;
  }

  number(value: number | null): this {
    const at = this.next(bytesOfNumber);
    this.view.setFloat64(at, value ?? Number.NaN);
    return this;
  }

  /** Writes a text that is not repeated by others. Lone surrogates become U+FFFD. */
  text(value: string | null): this {
    this.#code(value === null ? codes.none : codes.text);
    if (value !== null) this.#spell(value);
    return this;
  }

  /** Writes a text that many records share. It is written once; later, only its number in the list of names is written. */
  name(value: string | null): this {
    const code = value === null ? codes.none : this.#names.get(value);
    if (code !== undefined) this.#code(code);
    else if (value !== null) this.#learn(value);
    return this;
  }

  bytes(value: Uint8Array): void {
    const at = this.next(bytesOfLength + value.length);
    this.view.setUint32(at, value.length);
    this.memory.set(value, at + bytesOfLength);
  }

  /** Moves the first bytes to the start of `target`. */
  take(bytes: number, target: Buffer): void {
    target.fill(this.memory.subarray(0, bytes), 0, bytes);
    this.memory.copyWithin(0, bytes, this.used);
    this.used -= bytes;
    this.#learntAt -= bytes;
  }

  /**
   * Discards everything after so many bytes. If a name was new there, all names are forgotten, because that one will not be read.
   */
  cut(bytes: number): void {
    this.used = bytes;
    if (this.#learntAt < bytes) return;
    this.#learntAt = -1;
    this.#names.clear();
  }

  /** Starts again in the same memory and without names, so that what follows can be read independently. */
  restart(): void {
    this.used = 0;
    this.#learntAt = -1;
    this.#names.clear();
  }

  #learn(name: string): void {
    if (name.length > longestName) {
      this.text(name);
      return;
    }
    if (this.#names.size === maxNames) this.#names.clear();
    this.#learntAt = this.used;
    this.#code(this.#names.size === 0 ? codes.onlyName : codes.name);
    this.#names.set(name, firstName + this.#names.size);
    this.#spell(name);
  }

  #code(code: number): void {
    const at = this.next(bytesOfCode);
    this.view.setUint16(at, code);
  }

  #spell(text: string): void {
    if (typeof text !== 'string') throw new TypeError(`A record has the text ${String(text)}, which is not a string.`);
    const max = text.length * maxBytesOfUnit;
    const at = this.next(bytesOfLength + max);
    const bytes = this.put(text, at + bytesOfLength);
    this.view.setUint32(at, bytes);
    this.used -= max - bytes;
  }
}
