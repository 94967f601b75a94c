import { maxBytesOfUnit } from '../../../sdk/binary/coded-texts.ts';
import { GrowingBytes } from '../../../sdk/binary/growing-bytes.ts';

/** https://protobuf.dev/programming-guides/encoding/ */
const wireTypes = { varint: 0, fixed64: 1, lengthened: 2, fixed32: 5 } as const;
const bitsOfType = 3;

const bitsOfByte = 7;
const valuesOfByte = 2 ** bitsOfByte;
const valuesOfHalf = 2 ** 32;
const bytesOfFixed32 = 4;
const bytesOfFixed64 = 8;

/** Returns how many bytes a non-negative integer takes. */
const varintBytes = (value: number): number => {
  let bytes = 1;
  for (let rest = value; rest >= valuesOfByte; rest = Math.floor(rest / valuesOfByte)) bytes += 1;
  return bytes;
};

/** The value of each hexadecimal digit, by character code. */
const digitValues = Uint8Array.from({ length: 128 }, (_each, code) => Number.parseInt(String.fromCharCode(code), 16));

/** Writes fields of Protocol Buffers, including those with default values, such as 0. */
export class ProtoWriter extends GrowingBytes {
  /** Writes a non-negative integer. */
  varint(field: number, value: number): void {
    this.#key(field, wireTypes.varint);
    this.#varint(value);
  }

  /** Writes an integer that may be negative. */
  int64(field: number, value: number): void {
    if (value >= 0) {
      this.varint(field, value);
      return;
    }
    this.#key(field, wireTypes.varint);
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest >= valuesOfByte; rest >>= BigInt(bitsOfByte))
      this.#byte(Number(rest % BigInt(valuesOfByte)) + valuesOfByte);
    this.#byte(Number(rest));
  }

  double(field: number, value: number): void {
    this.#key(field, wireTypes.fixed64);
    const at = this.next(bytesOfFixed64);
    this.view.setFloat64(at, value, true);
  }

  fixed32(field: number, value: number): void {
    this.#key(field, wireTypes.fixed32);
    const at = this.next(bytesOfFixed32);
    this.view.setUint32(at, value, true);
  }

  /** Writes the product of two integers. The second must be small, because the product may exceed the range of a number. */
  fixed64(field: number, value: number, times: number): void {
    this.#key(field, wireTypes.fixed64);
    const at = this.next(bytesOfFixed64);
    const low = (value % valuesOfHalf) * times;
    this.view.setUint32(at, low % valuesOfHalf, true);
    this.view.setUint32(
      at + bytesOfFixed32,
      Math.floor(value / valuesOfHalf) * times + Math.floor(low / valuesOfHalf),
      true,
    );
  }

  text(field: number, value: string): void {
    const begin = this.begin(field);
    const max = value.length * maxBytesOfUnit;
    const at = this.next(max);
    this.used = at + this.put(value, at);
    this.end(begin);
  }

  /** Writes the bytes of hexadecimal digits. */
  hex(field: number, digits: string): void {
    const bytes = digits.length / 2;
    this.#key(field, wireTypes.lengthened);
    this.#varint(bytes);
    const at = this.next(bytes);
    for (let each = 0; each < bytes; each += 1) {
      const high = digitValues[digits.charCodeAt(2 * each)] ?? 0;
      const low = digitValues[digits.charCodeAt(2 * each + 1)] ?? 0;
      this.memory[at + each] = high * 16 + low;
    }
  }

  /** Writes fields that were encoded elsewhere. */
  fields(bytes: Uint8Array): void {
    const at = this.next(bytes.length);
    this.memory.set(bytes, at);
  }

  /**
   * Starts a message of unknown length. `lengthBytes` is the expected number of bytes of the length. Returns the value to pass to
   * `end`.
   */
  begin(field: number, lengthBytes = 1): number {
    this.#key(field, wireTypes.lengthened);
    this.next(lengthBytes);
    return this.used;
  }

  /** Ends the message that was started there. */
  end(begin: number, lengthBytes = 1): void {
    const length = this.used - begin;
    const wanted = varintBytes(length);
    const end = this.used + wanted - lengthBytes;
    if (wanted !== lengthBytes) {
      this.next(wanted);
      this.memory.copyWithin(begin + wanted - lengthBytes, begin, begin + length);
    }
    this.used = begin - lengthBytes;
    this.#varint(length);
    this.used = end;
  }

  /** Removes and returns what was written after an offset. */
  take(begin: number): Uint8Array {
    const taken = new Uint8Array(this.part(begin, this.used));
    this.used = begin;
    return taken;
  }

  #key(field: number, type: number): void {
    this.#varint(field * 2 ** bitsOfType + type);
  }

  #varint(value: number): void {
    let rest = value;
    for (; rest >= valuesOfByte; rest = Math.floor(rest / valuesOfByte))
      this.#byte((rest % valuesOfByte) + valuesOfByte);
    this.#byte(rest);
  }

  #byte(value: number): void {
    const at = this.next(1);
    this.memory[at] = value;
  }
}
