import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { childPointer, type JsonPointer } from '../../../../schema/json/pointer.ts';

/** A value of a source with its place. */
export interface Sourced {
  readonly value: Json | undefined;
  readonly pointer: JsonPointer;
}

/** Reads the members of an object of a source, and keeps track of those that were not read. */
export class SourceObject {
  readonly pointer: JsonPointer;
  readonly #value: JsonObject;
  readonly #read = new Set<string>();
  readonly #wanted = new Map<string, Set<string>>();

  constructor({ value, pointer }: Sourced) {
    this.pointer = pointer;
    this.#value = isJsonObject(value) ? value : {};
  }

  at(name: string): JsonPointer {
    return childPointer(this.pointer, name);
  }

  get(name: string): Json | undefined {
    this.#read.add(name);
    return this.peek(name);
  }

  /** Returns a member, which still counts as unread. */
  peek(name: string): Json | undefined {
    return lookUp(this.#value, name);
  }

  /** Reads a text that is not empty. A value of another type counts as unread. */
  text(name: string): string | undefined {
    const value = this.#value[name];
    if (typeof value !== 'string') return this.#want(name, 'a text');
    this.#read.add(name);
    return value === '' ? undefined : value;
  }

  /** Reads a number. A value of another type counts as unread. */
  number(name: string): number | undefined {
    const value = this.#value[name];
    if (typeof value !== 'number' || !Number.isFinite(value)) return this.#want(name, 'a number');
    this.#read.add(name);
    return value;
  }

  /** Reads an object. A value of another type gives an object without members, and counts as unread. */
  object(name: string): SourceObject {
    const value = this.peek(name);
    if (isJsonObject(value)) this.#read.add(name);
    else this.#want(name, 'an object');
    return new SourceObject({ value, pointer: this.at(name) });
  }

  /** Reads a list. A value of another type gives an empty list, and counts as unread. */
  list(name: string): readonly Sourced[] {
    const value = this.peek(name);
    if (!Array.isArray(value)) {
      this.#want(name, 'a list');
      return [];
    }
    this.#read.add(name);
    return value.map((item, index) => ({ value: item, pointer: childPointer(this.at(name), index) }));
  }

  #want(name: string, kind: string): undefined {
    this.#wanted.set(name, (this.#wanted.get(name) ?? new Set()).add(kind));
  }

  /** Returns what an unread member should be, such as `a text or a list`; undefined if nothing looked for it. */
  wantedKind(name: string): string | undefined {
    const kinds = this.#wanted.get(name);
    return kinds === undefined ? undefined : [...kinds].join(' or ');
  }

  texts(name: string): readonly string[] {
    return this.list(name).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  }

  /** Reads the texts of a member that is one text or a list of them. */
  oneOrMore(name: string): readonly string[] {
    const one = this.text(name);
    return one === undefined ? this.texts(name) : [one];
  }

  names(): readonly string[] {
    return Object.keys(this.#value);
  }

  /** Returns the members that were not read, in their order, without those that are null. */
  unread(): readonly string[] {
    return Object.keys(this.#value).filter((name) => !this.#read.has(name) && this.#value[name] !== null);
  }
}
