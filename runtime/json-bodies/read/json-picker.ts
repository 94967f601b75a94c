import { fromJson } from '../../../schema/json/from-json.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { closeBrace, closeBracket, colon, comma, openBrace, openBracket } from '../../../schema/json/json-bytes.ts';
import { maxLevels } from '../../../schema/json/json-text-error.ts';
import { JsonText, malformed } from './json-text.ts';
import type { Picked, PickedMember } from './picked.ts';
import { readString, readValue } from './read-value.ts';

/** Returned instead of the offset of another value: the object or list has ended. */
const ended = -1;

/** The member of objects that cannot be assigned. */
const prototype = '__proto__';
const ownMember = { configurable: true, enumerable: true, writable: true } as const;

/**
 * Reads one JSON text: checks all of it, but builds only the picked values. Each method starts at an offset, stores the offset
 * after what it read in `#at`, and throws as soon as the text is not valid JSON.
 */
export class JsonPicker {
  readonly #text: JsonText;
  readonly #bytes: Buffer;
  #at = 0;
  #level = 0;

  constructor(bytes: Uint8Array) {
    this.#text = new JsonText(bytes);
    this.#bytes = this.#text.bytes;
  }

  /** Parses the text as a single object and returns its picked members. Throws if it is anything else. */
  object(members: readonly PickedMember[]): JsonObject {
    const at = this.#text.spaceEnd(0);
    if (this.#bytes[at] !== openBrace) throw malformed;
    const object = this.#toMembers(at, members);
    if (this.#text.spaceEnd(this.#at) < this.#bytes.length) throw malformed;
    return object;
  }

  #pick(from: number, picked: Picked): Json | undefined {
    const first = this.#bytes[from];
    if (picked.kind === 'members' && first === openBrace) return this.#toMembers(from, picked.members);
    if (picked.kind === 'list' && first === openBracket) return this.#toObjects(from, picked.members);
    if (picked.kind === 'all') return this.#toValue(from);
    this.#skip(from);
    return undefined;
  }

  /** Returns the whole of a value. */
  #toValue(from: number): Json {
    if (this.#bytes[from] === openBrace) return this.#toObject(from);
    this.#skip(from);
    return readValue(this.#bytes, from, this.#at);
  }

  #toObject(from: number): JsonObject {
    const object: Record<string, Json> = {};
    const text = this.#text;
    const bytes = this.#bytes;
    let at = this.#open(from);
    if (bytes[at] === closeBrace) return this.#close(at, object);
    for (;;) {
      const nameEnd = text.stringEnd(at);
      const name = readString(bytes, at, nameEnd);
      const value = this.#toValue(this.#valueStart(nameEnd));
      if (name === prototype) Object.defineProperty(object, name, { ...ownMember, value });
      else object[name] = value;
      at = this.#goOn(closeBrace);
      if (at === ended) return object;
    }
  }

  #toMembers(from: number, picked: readonly PickedMember[]): JsonObject {
    const object: Record<string, Json> = {};
    const text = this.#text;
    const bytes = this.#bytes;
    let at = this.#open(from);
    if (bytes[at] === closeBrace) return this.#close(at, object);
    for (;;) {
      text.isEscaped = false;
      const nameEnd = text.stringEnd(at);
      const member = this.#find(picked, at, nameEnd);
      const start = this.#valueStart(nameEnd);
      if (member === undefined) this.#skip(start);
      else {
        const value = this.#pick(start, member.picked);
        if (value === undefined) delete object[member.name];
        else object[member.name] = value;
      }
      at = this.#goOn(closeBrace);
      if (at === ended) return object;
    }
  }

  #toObjects(from: number, picked: readonly PickedMember[]): readonly Json[] {
    const list: Json[] = [];
    const bytes = this.#bytes;
    let at = this.#open(from);
    if (bytes[at] === closeBracket) return this.#close(at, list);
    for (;;) {
      if (bytes[at] === openBrace) list.push(this.#toMembers(at, picked));
      else this.#skip(at);
      at = this.#goOn(closeBracket);
      if (at === ended) return list;
    }
  }

  /** Skips a value. */
  #skip(from: number): void {
    this.#at = this.#text.valueEnd(from, this.#level);
  }

  /** Skips the opening bracket of an object or a list. Returns the offset of its contents. */
  #open(from: number): number {
    this.#level += 1;
    if (this.#level > maxLevels) throw malformed;
    this.#text.count(1);
    return this.#text.spaceEnd(from + 1);
  }

  /** Skips the closing bracket of an empty object or list. */
  #close<Value>(at: number, value: Value): Value {
    this.#level -= 1;
    this.#at = at + 1;
    return value;
  }

  /** Skips what comes after a value. Returns the offset of the next one, or that nothing follows in its object or list. */
  #goOn(close: number): number {
    const bytes = this.#bytes;
    let at = this.#at;
    at = this.#text.spaceEnd(at);
    const byte = bytes[at];
    at += 1;
    if (byte === comma) return this.#text.spaceEnd(at);
    if (byte !== close) throw malformed;
    this.#level -= 1;
    this.#at = at;
    return ended;
  }

  /** Skips the colon after a name. Returns the offset of the value. */
  #valueStart(nameEnd: number): number {
    this.#text.count(1);
    const bytes = this.#bytes;
    const at = bytes[nameEnd] === colon ? nameEnd + 1 : this.#text.colonEnd(nameEnd);
    return this.#text.spaceEnd(at);
  }

  /** Finds the member with the name that was skipped last. */
  #find(picked: readonly PickedMember[], from: number, to: number): PickedMember | undefined {
    const text = this.#text;
    if (text.isEscaped) {
      const name: unknown = fromJson(this.#bytes.toString('utf8', from, to));
      return picked.find((member) => member.name === name);
    }
    const length = to - from - 2;
    for (const member of picked) if (member.bytes.length === length && text.isAt(from + 1, member.bytes)) return member;
    return undefined;
  }
}
