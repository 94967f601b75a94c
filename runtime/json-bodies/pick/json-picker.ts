import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';
import { fromJson } from '../../../schema/json/from-json.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
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
import { digitsEnd } from './digits-end.ts';
import type { Picked, PickedMember } from './picked.ts';
import { plainEnd } from './plain-end.ts';

/** The result of `#next` at the end of the text. */
const end = -1;

/** One for all texts: making an error takes longer than reading a small text. */
const malformed = new SyntaxError('The text is not JSON, or nests too deeply.');

const [letterU, minus, plus, point, zero, nine] = [0x75, 0x2d, 0x2b, 0x2e, 0x30, 0x39];
const lowerCase = 0x20;
const [lowerA, lowerE, lowerF] = [0x61, 0x65, 0x66];

const toBytes = (...texts: readonly string[]): readonly (readonly [first: number, rest: Buffer])[] =>
  texts.map((text) => [text.charCodeAt(0), Buffer.from(text)]);
const literals: ReadonlyMap<number, Buffer> = new Map(toBytes('true', 'false', 'null'));

/** The characters that a backslash can stand before, without `u`, are 1. */
const escaped = new Uint8Array(256);
for (const byte of Buffer.from('"\\/bfnrt')) escaped[byte] = 1;

const isDigit = (byte: number): boolean => byte >= zero && byte <= nine;

const isHexDigit = (byte: number): boolean => {
  const letter = byte | lowerCase;
  return isDigit(byte) || (letter >= lowerA && letter <= lowerF);
};

/**
 * Reads one JSON text, all of which it checks as `JSON.parse` does, within the limits of `jsonTextError`; of its values it
 * makes those that are picked. Each method begins at the offset that has been reached, and throws where the text ends to
 * be JSON.
 */
export class JsonPicker {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  #at = 0;
  #level = 0;
  #values = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = toBuffer(bytes);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The picked members of the object that the text is. Throws for any other text. */
  object(members: readonly PickedMember[]): JsonObject {
    if (this.#next() !== openBrace) throw malformed;
    const object = this.#toMembers(members);
    if (this.#next() !== end) throw malformed;
    return object;
  }

  #byteAt(at: number): number {
    return at < this.#bytes.length ? (this.#bytes[at] ?? end) : end;
  }

  /** Passes white space, and gives the byte after it. */
  #next(): number {
    let byte = this.#byteAt(this.#at);
    while (isSpace(byte)) {
      this.#at += 1;
      byte = this.#byteAt(this.#at);
    }
    return byte;
  }

  #pick(picked: Picked): Json | undefined {
    const first = this.#next();
    if (picked.kind === 'members' && first === openBrace) return this.#toMembers(picked.members);
    if (picked.kind === 'list' && first === openBracket) return this.#toObjects(picked.members);
    const from = this.#at;
    this.#skip();
    return picked.kind === 'all' ? fromJson(this.#bytes.toString('utf8', from, this.#at)) : undefined;
  }

  #toMembers(picked: readonly PickedMember[]): JsonObject {
    const object: Record<string, Json> = {};
    this.#open();
    if (this.#isEmpty(closeBrace)) return object;
    do {
      const member = this.#memberIn(picked);
      if (member === undefined) this.#skip();
      else {
        const value = this.#pick(member.picked);
        if (value === undefined) delete object[member.name];
        else object[member.name] = value;
      }
    } while (this.#goesOn(closeBrace));
    return object;
  }

  #toObjects(picked: readonly PickedMember[]): readonly Json[] {
    const list: Json[] = [];
    this.#open();
    if (this.#isEmpty(closeBracket)) return list;
    do {
      if (this.#next() === openBrace) list.push(this.#toMembers(picked));
      else this.#skip();
    } while (this.#goesOn(closeBracket));
    return list;
  }

  /** Passes a value. */
  #skip(): void {
    const first = this.#next();
    if (first === quote) this.#skipString();
    else if (first === openBrace) this.#skipObject();
    else if (first === openBracket) this.#skipList();
    else if (first === minus || isDigit(first)) this.#skipNumber();
    else this.#skipLiteral(first);
  }

  #skipObject(): void {
    this.#open();
    if (this.#isEmpty(closeBrace)) return;
    do {
      if (this.#next() !== quote) throw malformed;
      this.#skipString();
      this.#skipColon();
      this.#skip();
    } while (this.#goesOn(closeBrace));
  }

  #skipList(): void {
    this.#open();
    if (this.#isEmpty(closeBracket)) return;
    do this.#skip();
    while (this.#goesOn(closeBracket));
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > maxValues) throw malformed;
  }

  #open(): void {
    this.#at += 1;
    this.#level += 1;
    if (this.#level > maxLevels) throw malformed;
    this.#count();
  }

  /** Whether an object or a list, which has just been opened, is closed at once. */
  #isEmpty(close: number): boolean {
    if (this.#next() !== close) return false;
    this.#at += 1;
    this.#level -= 1;
    return true;
  }

  /** Passes what stands after a value: whether there is another one. */
  #goesOn(close: number): boolean {
    const byte = this.#next();
    this.#at += 1;
    if (byte === comma) return true;
    if (byte !== close) throw malformed;
    this.#level -= 1;
    return false;
  }

  /** Passes a name and its colon: which of the members it names. */
  #memberIn(picked: readonly PickedMember[]): PickedMember | undefined {
    if (this.#next() !== quote) throw malformed;
    const from = this.#at;
    const isEscaped = this.#skipString();
    const to = this.#at;
    this.#skipColon();
    if (isEscaped) {
      const name: unknown = fromJson(this.#bytes.toString('utf8', from, to));
      return picked.find((member) => member.name === name);
    }
    for (const member of picked) if (this.#isAt(from + 1, to - 1, member.bytes)) return member;
    return undefined;
  }

  #isAt(from: number, to: number, name: Uint8Array): boolean {
    if (to - from !== name.length) return false;
    for (let at = 0; at < name.length; at += 1) if (this.#bytes[from + at] !== name[at]) return false;
    return true;
  }

  #skipColon(): void {
    if (this.#next() !== colon) throw malformed;
    this.#at += 1;
  }

  /** Whether the string has escapes. */
  #skipString(): boolean {
    this.#count();
    const view = this.#view;
    let isEscaped = false;
    let at = plainEnd(view, this.#at + 1);
    let byte = this.#byteAt(at);
    while (byte === backslash) {
      isEscaped = true;
      at = plainEnd(view, this.#afterEscape(at + 1));
      byte = this.#byteAt(at);
    }
    if (byte !== quote) throw malformed;
    this.#at = at + 1;
    return isEscaped;
  }

  /** The offset after an escape whose backslash stands before `at`. */
  #afterEscape(at: number): number {
    const byte = this.#byteAt(at);
    if (byte !== letterU) {
      if (escaped[byte] !== 1) throw malformed;
      return at + 1;
    }
    for (let digit = at + 1; digit <= at + 4; digit += 1) if (!isHexDigit(this.#byteAt(digit))) throw malformed;
    return at + 5;
  }

  #skipNumber(): void {
    let at = this.#at;
    if (this.#byteAt(at) === minus) at += 1;
    at = this.#byteAt(at) === zero ? at + 1 : this.#afterDigits(at);
    if (this.#byteAt(at) === point) at = this.#afterDigits(at + 1);
    if ((this.#byteAt(at) | lowerCase) === lowerE) {
      const sign = this.#byteAt(at + 1);
      at = this.#afterDigits(sign === plus || sign === minus ? at + 2 : at + 1);
    }
    this.#at = at;
  }

  /** The offset after digits, of which there must be some. */
  #afterDigits(from: number): number {
    const at = digitsEnd(this.#view, from);
    if (at === from) throw malformed;
    return at;
  }

  #skipLiteral(first: number): void {
    const literal = literals.get(first);
    if (literal === undefined || !this.#isAt(this.#at, this.#at + literal.length, literal)) throw malformed;
    this.#at += literal.length;
  }
}
