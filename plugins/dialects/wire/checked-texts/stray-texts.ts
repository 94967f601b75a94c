import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { maxLevels } from '../../../../schema/json/json-text-error.ts';
import type { SpanPlace, TextSpan } from '../../../sdk/dialect/text-span.ts';
import { writtenText } from '../../../sdk/texts/written-text.ts';
import { inside, nameSpan, span } from './text-spans.ts';

/** The most that is read of one body, in characters; a text counts for some more than it has. */
const maxSize = 4_000_000;
const textSize = 32;

/** Printable characters of ASCII, of which ids, enumerations, URLs and proofs consist. */
const named = /^[\x21-\x7e]*$/;

/** Whether a text without white space is all that a string says. */
export const isNamed = (text: string): boolean => named.test(text);

const isPlainName = (name: string): boolean => /^[\x21-\x7e]{1,64}$/.test(name);

/** Where a reader of texts puts what it finds. */
export type AddSpans = (spans: readonly TextSpan[]) => void;

/** Where in a value the reader is. */
interface Depth {
  readonly level: number;
  /** Whether the names around it may be words: numbers may then go on with what these say. */
  readonly isWorded: boolean;
}

const top: Depth = { level: 0, isWorded: false };

/**
 * The texts of what stands where the format says nothing of it, or something else: each string is one, in whatever form a
 * text is written, and so is the name of each member.
 */
export class StrayTexts {
  readonly #add: AddSpans;
  readonly #onlyWords: boolean;
  #size = 0;
  /** Something was found that cannot be text, or is too deep or too large to be read. */
  areUnreadable = false;

  /** `onlyWords`: of texts without white space only those are read that stand among names which may be words. */
  constructor(add: AddSpans, { onlyWords = false }: { readonly onlyWords?: boolean } = {}) {
    this.#add = add;
    this.#onlyWords = onlyWords;
  }

  read(value: Json, place: SpanPlace): void {
    this.#read(value, place, top);
  }

  /** A member of which the format says nothing: its name, and its value. */
  readMember(name: string, value: Json, place: SpanPlace): void {
    this.#readName(name, place, top);
    this.#read(value, place, top);
  }

  #read(value: Json, place: SpanPlace, depth: Depth): void {
    if (value === null || this.areUnreadable) return;
    if (typeof value === 'string') this.#readText(value, place, depth);
    else if (typeof value !== 'object') this.#readScalar(value, place, depth);
    else if (depth.level === maxLevels) this.areUnreadable = true;
    else if (isJsonObject(value)) this.#readObject(value, place, depth);
    else {
      const within = { ...depth, level: depth.level + 1 };
      for (const [index, item] of value.entries()) this.#read(item, inside(place, index), within);
    }
  }

  #readText(text: string, place: SpanPlace, depth: Depth): void {
    if (!this.#hasRoomFor(text.length)) return;
    const written = writtenText(text);
    if (written.is === 'binary') this.areUnreadable = true;
    else this.#say(span(written.text, place), depth);
    // A long word may be valid base64 by chance: what it would be then is not all that it says.
    if (written.is === 'encoded' && !text.includes(',')) this.#say(span(text, place), depth);
  }

  #readScalar(value: number | boolean, place: SpanPlace, depth: Depth): void {
    const text = String(value);
    if (depth.isWorded && this.#hasRoomFor(text.length)) this.#say(span(text, place), depth);
  }

  #readObject(value: JsonObject, place: SpanPlace, { level, isWorded }: Depth): void {
    const names = Object.keys(value);
    const within = { level: level + 1, isWorded: isWorded || !names.every(isPlainName) };
    for (const name of names) {
      const at = inside(place, name);
      this.#readName(name, at, within);
      this.#read(value[name] ?? null, at, within);
    }
  }

  #readName(name: string, place: SpanPlace, depth: Depth): void {
    if (this.#hasRoomFor(name.length)) this.#say(nameSpan(name, place), depth);
  }

  #say(found: readonly TextSpan[], { isWorded }: Depth): void {
    this.#add(this.#onlyWords && !isWorded ? found.filter(({ text }) => !isNamed(text)) : found);
  }

  #hasRoomFor(length: number): boolean {
    this.#size += length + textSize;
    if (this.#size > maxSize) this.areUnreadable = true;
    return !this.areUnreadable;
  }
}
