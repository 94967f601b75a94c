/** Bytes that are not valid Avro, or that exceed the limits of the reader. */
export class AvroError extends Error {
  override readonly name = 'AvroError';
}

/** The maximum depth, because records may contain one another. */
const deepest = 64;

/** The weight of the tenth byte of a number. */
const largestScale = 64 * 128 ** 8;

/**
 * Reads Avro values one after another: https://avro.apache.org/docs/1.12.0/specification/#binary-encoding. The methods throw an
 * `AvroError` if there are not enough bytes.
 */
export class AvroBytes {
  readonly #bytes: Buffer;
  #at = 0;
  /** How many list items may still be read. Items without bytes could otherwise be any number. */
  #items: number;
  #depth = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#items = bytes.length;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  take(length: number): Buffer {
    const from = this.#at;
    if (!Number.isInteger(length) || length < 0 || from + length > this.#bytes.length)
      throw new AvroError('a value is truncated');
    this.#at += length;
    return this.#bytes.subarray(from, this.#at);
  }

  /** Reads a number of at most 64 bits; a number beyond 2⁵³ loses digits. */
  long(): number {
    let byte = this.take(1).readUInt8();
    const isNegative = byte % 2 === 1;
    let value = Math.floor((byte % 128) / 2);
    for (let scale = 64; byte >= 128; scale *= 128) {
      if (scale > largestScale) throw new AvroError('a number has more than 64 bits');
      byte = this.take(1).readUInt8();
      value += (byte % 128) * scale;
    }
    return isNegative ? -value - 1 : value;
  }

  text(): string {
    return this.take(this.long()).toString();
  }

  /** Reads the number of list items that come next; 0 at the end of the list. */
  count(): number {
    const declared = this.long();
    // A negative count is followed by the length in bytes.
    if (declared < 0) this.long();
    const count = Math.abs(declared);
    this.#items -= count;
    if (this.#items < 0) throw new AvroError('a list has more items than bytes');
    return count;
  }

  inside<Value>(read: () => Value): Value {
    if (this.#depth === deepest) throw new AvroError(`records are more than ${deepest} levels deep`);
    this.#depth += 1;
    const value = read();
    this.#depth -= 1;
    return value;
  }
}
