import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { maxLevels } from '../../../../schema/json/json-text-error.ts';
import type { SpanPlace, TextSpan } from '../../../sdk/dialect/text-span.ts';
import { writtenText } from '../../../sdk/texts/written-text.ts';
import { inside, nameSpan, span } from './text-spans.ts';

/** How many characters of one body are read at most. Each text counts for slightly more than its length. */
const maxSize = 4_000_000;
const textSize = 32;

/** Matches printable ASCII characters, of which ids, enumerations, URLs and signatures consist. */
const named = /^[\x21-\x7e]*$/;

/** Whether a string contains no white space, only printable ASCII characters. */
export const isNamed = (text: string): boolean => named.test(text);

const isPlainName = (name: string): boolean => /^[\x21-\x7e]{1,64}$/.test(name);

/** Receives the texts that a reader finds. */
export type AddSpans = (spans: readonly TextSpan[]) => void;

/** The reader's position within a value. */
interface Depth {
  readonly level: number;
  /** Whether the names around it may be words. Numbers may then continue their text. */
  readonly isWorded: boolean;
}

const top: Depth = { level: 0, isWorded: false };

/**
 * Reads the texts of values that the format does not document, or that differ from the documentation. Each string is one text, in
 * whatever form it is written, and so is the name of each member.
 */
export class UndocumentedTexts {
  readonly #add: AddSpans;
  readonly #onlyWords: boolean;
  #size = 0;
  /** Whether something was found that cannot be text, or is too deep or too large to be read. */
  areUnreadable = false;

  /** If `onlyWords` is set, texts without white space are read only among names that may be words. */
  constructor(add: AddSpans, { onlyWords = false }: { readonly onlyWords?: boolean } = {}) {
    this.#add = add;
    this.#onlyWords = onlyWords;
  }

  read(value: Json, place: SpanPlace): void {
    this.#read(value, place, top);
  }

  /** Reads the name and the value of a member that the format does not document. */
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
    // A long word may be valid base64 by chance, so the text is also read as it is written.
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
