import type { Json, JsonObject } from './json.ts';
import { closeBrace, closeBracket, colon, comma, isSpace, openBrace, openBracket, quote } from './json-bytes.ts';
import { isRounded, rememberSources } from './number-sources.ts';
import { stringEnd } from './string-end.ts';

const literals: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Matches a value that is not an object, a list or a string. https://datatracker.ietf.org/doc/html/rfc8259#section-6 */
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

const hasBackslash = ([name]: readonly [string, Json]): boolean => name.includes('\\');

/**
 * Creates an object whose members are not added one by one to a shape that other objects share. A name with a backslash in a
 * shared shape makes `JSON.parse` misread the names of other objects.
 */
const unshared = (members: readonly (readonly [string, Json])[]): JsonObject => {
  const object: Record<string, Json> = Object.create(null);
  for (const [name, value] of members) object[name] = value;
  return Object.setPrototypeOf(object, Object.prototype);
};

/**
 * Parses one JSON text as `JSON.parse` is specified to, without the engine's memory of object shapes, and remembers the original
 * text of numbers that JavaScript rounds. Each method starts at the current offset, and throws a `SyntaxError` as soon as the
 * text is not valid JSON.
 */
export class JsonReader {
  readonly #text: string;
  #at = 0;
  /** The text of the last number that was read, if JavaScript has rounded it. */
  #source: string | undefined;
  /** Whether the last object or list that was read contains such a number. */
  #hasSources = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** Parses the whole text as one value. */
  whole(): Json {
    const value = this.#value();
    this.#next();
    if (this.#at < this.#text.length) throw this.#malformed();
    return value;
  }

  #malformed(): SyntaxError {
    const isOver = this.#at >= this.#text.length;
    return new SyntaxError(
      isOver ? 'Unexpected end of JSON input' : `Unexpected token in JSON at position ${this.#at}`,
    );
  }

  /** Skips white space and returns the code of the next character; NaN at the end. */
  #next(): number {
    let code = this.#text.charCodeAt(this.#at);
    while (isSpace(code)) {
      this.#at += 1;
      code = this.#text.charCodeAt(this.#at);
    }
    return code;
  }

  #value(): Json {
    const code = this.#next();
    if (code === quote) return this.#string();
    if (code === openBrace) return this.#object();
    if (code === openBracket) return this.#list();
    return this.#scalar();
  }

  #object(): JsonObject {
    const members: [string, Json][] = [];
    let written: Map<string, string> | undefined;
    if (this.#isEmpty(closeBrace)) return {};
    do {
      if (this.#next() !== quote) throw this.#malformed();
      const name = this.#string();
      if (this.#next() !== colon) throw this.#malformed();
      this.#at += 1;
      members.push([name, this.#value()]);
      if (this.#isNoted) written = this.#note(name, written);
    } while (this.#hasNext(closeBrace));
    const object = members.some(hasBackslash) ? unshared(members) : Object.fromEntries(members);
    this.#remember(object, written);
    return object;
  }

  #list(): readonly Json[] {
    const list: Json[] = [];
    let written: Map<string, string> | undefined;
    if (this.#isEmpty(closeBracket)) return list;
    do {
      list.push(this.#value());
      if (this.#isNoted) written = this.#note(String(list.length - 1), written);
    } while (this.#hasNext(closeBracket));
    this.#remember(list, written);
    return list;
  }

  /** Whether the object or list around the last value has to note it. */
  get #isNoted(): boolean {
    return this.#source !== undefined || this.#hasSources;
  }

  /** Adds the text of the last number to the notes of its object or list. `key` is its name or index. */
  #note(key: string, written = new Map<string, string>()): Map<string, string> {
    if (this.#source !== undefined) written.set(key, this.#source);
    this.#source = undefined;
    this.#hasSources = false;
    return written;
  }

  #remember(holder: object, written: ReadonlyMap<string, string> | undefined): void {
    if (written === undefined) return;
    rememberSources(holder, written);
    this.#hasSources = true;
  }

  /** Reads the opening of an object or a list. Returns whether it is empty, and then reads its end too. */
  #isEmpty(close: number): boolean {
    this.#at += 1;
    if (this.#next() !== close) return false;
    this.#at += 1;
    return true;
  }

  /** Reads the comma or the end after a member or an item. Returns whether another one follows. */
  #hasNext(close: number): boolean {
    const code = this.#next();
    if (code !== comma && code !== close) throw this.#malformed();
    this.#at += 1;
    return code === comma;
  }

  /** Leaves strings to the engine, which reads a single string correctly. */
  #string(): string {
    const end = stringEnd(this.#text, this.#at) + 1;
    try {
      const value: string = JSON.parse(this.#text.slice(this.#at, end));
      this.#at = end;
      return value;
    } catch {
      throw this.#malformed();
    }
  }

  #scalar(): Json {
    scalar.lastIndex = this.#at;
    const [written] = scalar.exec(this.#text) ?? [];
    if (written === undefined) throw this.#malformed();
    this.#at = scalar.lastIndex;
    if (literals.has(written)) return literals.get(written) ?? null;
    if (isRounded(written)) this.#source = written;
    return Number(written);
  }
}
