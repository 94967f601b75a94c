import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  isSpace,
  openBrace,
  openBracket,
  quote,
} from '../../../schema/json/json-bytes.ts';
import { maxLevels, maxValues } from '../../../schema/json/json-text-error.ts';
import { digitsEnd, plainEnd } from './several-bytes.ts';

/** Stands for the byte after the end of the text. */
const end = -1;

/** Shared by all texts, because creating an error takes longer than reading a small text. */
export const malformed: SyntaxError = new SyntaxError('The text is not JSON, or nests too deeply.');

const [letterU, minus, plus, point, zero, nine] = [0x75, 0x2d, 0x2b, 0x2e, 0x30, 0x39];
const space = 0x20;
const lowerCase = 0x20;
const [lowerA, lowerE, lowerF] = [0x61, 0x65, 0x66];

const [letterF, letterN, letterT] = [0x66, 0x6e, 0x74];
const [trueBytes, falseBytes, nullBytes] = [Buffer.from('true'), Buffer.from('false'), Buffer.from('null')];

/** 1 for the characters that may follow a backslash, except `u`. */
const escaped = new Uint8Array(256);
for (const byte of Buffer.from('"\\/bfnrt')) escaped[byte] = 1;

/** 1 for the bytes of strings that stand for themselves. */
const plain = new Uint8Array(256).fill(1, space);
plain[quote] = 0;
plain[backslash] = 0;

/** How many bytes of a string are read one by one. Most strings are shorter, and further bytes are read several at a time. */
const shortString = 24;

const isDigit = (byte: number): boolean => byte >= zero && byte <= nine;

const isHexDigit = (byte: number): boolean => {
  const letter = byte | lowerCase;
  return isDigit(byte) || (letter >= lowerA && letter <= lowerF);
};

/** The difference between the codes of a closing and an opening bracket. */
const openToClose = closeBracket - openBracket;

/** The brackets that close what is open at each level of a value that is being skipped. Shared by all texts. */
const closing = new Uint8Array(maxLevels + 1);

/**
 * Checks one JSON text like `JSON.parse`, within the limits of `jsonTextError`. Each method skips what begins at an offset,
 * returns the offset after it, and throws as soon as the text is not valid JSON.
 */
export class JsonText {
  readonly bytes: Buffer;
  /** Whether the string that was skipped last has escapes. */
  isEscaped = false;
  readonly #length: number;
  #values = 0;
  #view: DataView | undefined;

  constructor(bytes: Uint8Array) {
    this.bytes = toBuffer(bytes);
    this.#length = bytes.length;
  }

  /** Skips white space. Usually there is none. */
  spaceEnd(at: number): number {
    return (this.bytes[at] ?? 0) > space ? at : this.#spacesEnd(at);
  }

  /** Whether the bytes of a text are at an offset. */
  isAt(from: number, text: Uint8Array): boolean {
    for (let at = 0; at < text.length; at += 1) if (this.bytes[from + at] !== text[at]) return false;
    return true;
  }

  /** Returns the number of strings, objects and lists so far. */
  get values(): number {
    return this.#values;
  }

  /** Counts strings, objects and lists. */
  count(values: number): void {
    this.#values += values;
    if (this.#values > maxValues) throw malformed;
  }

  /** Skips a string, including its quotes. */
  stringEnd(from: number): number {
    const { bytes } = this;
    if (bytes[from] !== quote) throw malformed;
    const far = from + 1 + shortString;
    let at = from + 1;
    while (at < far && plain[bytes[at] ?? 0] === 1) at += 1;
    if (bytes[at] === quote) return at + 1;
    return this.#longEnd(at);
  }

  /** Skips a name, and the colon after it. */
  nameEnd(from: number): number {
    const at = this.stringEnd(from);
    return this.bytes[at] === colon ? at + 1 : this.colonEnd(at);
  }

  colonEnd(from: number): number {
    const at = this.spaceEnd(from);
    if (this.bytes[at] !== colon) throw malformed;
    return at + 1;
  }

  /** Skips a value that is inside this many objects and lists. */
  valueEnd(from: number, level: number): number {
    const { bytes } = this;
    let depth = 0;
    let values = 0;
    let at = from;
    for (;;) {
      at = this.spaceEnd(at);
      const first = bytes[at];
      if (first === openBrace || first === openBracket) {
        values += 1;
        depth += 1;
        if (level + depth > maxLevels) throw malformed;
        closing[depth] = first + openToClose;
        at = this.spaceEnd(at + 1);
        if (bytes[at] !== closing[depth]) {
          if (first === openBracket) continue;
          values += 1;
          at = this.nameEnd(at);
          continue;
        }
      } else if (first === quote) {
        values += 1;
        at = this.stringEnd(at);
      } else at = this.#scalarEnd(at, first);
      while (depth > 0) {
        at = this.spaceEnd(at);
        if (bytes[at] !== closing[depth]) break;
        depth -= 1;
        at += 1;
      }
      if (depth === 0) break;
      if (bytes[at] !== comma) throw malformed;
      at += 1;
      if (closing[depth] !== closeBrace) continue;
      values += 1;
      at = this.nameEnd(this.spaceEnd(at));
    }
    this.count(values);
    return at;
  }

  #spacesEnd(from: number): number {
    let at = from;
    while (isSpace(this.bytes[at])) at += 1;
    return at;
  }

  #byteAt(at: number): number {
    return this.bytes[at] ?? end;
  }

  get #words(): DataView {
    this.#view ??= new DataView(this.bytes.buffer, this.bytes.byteOffset, this.#length);
    return this.#view;
  }

  #plainEnd(from: number): number {
    return plainEnd(this.#words, from);
  }

  /** Skips the rest of a string. */
  #longEnd(from: number): number {
    let at = this.#plainEnd(from);
    let byte = this.#byteAt(at);
    while (byte === backslash) {
      this.isEscaped = true;
      at = this.#plainEnd(this.#escapeEnd(at + 1));
      byte = this.#byteAt(at);
    }
    if (byte !== quote) throw malformed;
    return at + 1;
  }

  /** Skips an escape whose backslash is before `at`. */
  #escapeEnd(at: number): number {
    const byte = this.#byteAt(at);
    if (byte !== letterU) {
      if (escaped[byte] !== 1) throw malformed;
      return at + 1;
    }
    for (let digit = at + 1; digit <= at + 4; digit += 1) if (!isHexDigit(this.#byteAt(digit))) throw malformed;
    return at + 5;
  }

  #scalarEnd(from: number, first: number | undefined): number {
    if (first === undefined) throw malformed;
    if (first === minus || isDigit(first)) return this.#numberEnd(from);
    if (first === letterN) return this.#literalEnd(from, nullBytes);
    if (first === letterT) return this.#literalEnd(from, trueBytes);
    if (first === letterF) return this.#literalEnd(from, falseBytes);
    throw malformed;
  }

  #literalEnd(from: number, literal: Buffer): number {
    if (!this.isAt(from, literal)) throw malformed;
    return from + literal.length;
  }

  #numberEnd(from: number): number {
    let at = this.#byteAt(from) === minus ? from + 1 : from;
    at = this.#byteAt(at) === zero ? at + 1 : this.#digitsEnd(at);
    if (this.#byteAt(at) === point) at = this.#digitsEnd(at + 1);
    if ((this.#byteAt(at) | lowerCase) === lowerE) {
      const sign = this.#byteAt(at + 1);
      at = this.#digitsEnd(sign === plus || sign === minus ? at + 2 : at + 1);
    }
    return at;
  }

  /** Skips digits, of which there must be at least one. */
  #digitsEnd(from: number): number {
    const short = from + 4;
    let at = from;
    while (at < short && isDigit(this.#byteAt(at))) at += 1;
    if (at === short) at = digitsEnd(this.#words, at);
    if (at === from) throw malformed;
    return at;
  }
}
