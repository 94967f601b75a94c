import { isJsonObject, type Json, type JsonObject } from '../../../schema/json.ts';
import { mostLevels } from '../../../schema/json-text-fault.ts';
import type { SpanPlace, TextSpan } from '../../sdk/text-span.ts';
import { writtenText } from '../../sdk/texts/written-text.ts';
import { inside, span, valueSpan } from './text-spans.ts';

/** The most that is read of one body, in characters; a text counts for some more than it has. */
const maxSize = 4_000_000;
const textSize = 32;

const isPlainName = (name: string): boolean => /^[\x21-\x7e]{1,64}$/.test(name);

/** Where a reader of texts puts what it finds. */
export type AddSpans = (spans: readonly TextSpan[]) => void;

/**
 * The texts of what stands where the format says nothing of it, or something else: each string is one, in whatever form a
 * text is written. The names of an object's members are read with their values if they may be words.
 */
export class StrayTexts {
  readonly #add: AddSpans;
  #size = 0;
  /** Something was found that cannot be text, or is too deep or too large to be read. */
  areUnreadable = false;

  constructor(add: AddSpans) {
    this.#add = add;
  }

  read(value: Json, place: SpanPlace, depth = 0): void {
    if (typeof value === 'string') this.#readText(value, place);
    else if (typeof value !== 'object' || value === null || this.areUnreadable) return;
    else if (depth === mostLevels) this.areUnreadable = true;
    else if (isJsonObject(value)) this.#readObject(value, place, depth);
    else for (const [index, item] of value.entries()) this.read(item, inside(place, index), depth + 1);
  }

  #readText(text: string, place: SpanPlace): void {
    if (!this.#hasRoomFor(text.length)) return;
    const written = writtenText(text);
    if (written.is === 'binary') this.areUnreadable = true;
    else this.#add(span(written.text, place));
    // A long word may be valid base64 by chance: what it would be then is not all that it says.
    if (written.is === 'encoded' && !text.includes(',')) this.#add(span(text, place));
  }

  #readObject(value: JsonObject, place: SpanPlace, depth: number): void {
    const names = Object.keys(value);
    if (names.every(isPlainName)) {
      for (const name of names) this.read(value[name] ?? null, inside(place, name), depth + 1);
      return;
    }
    if (depthOf(value) > mostLevels - depth) {
      this.areUnreadable = true;
      return;
    }
    const found = valueSpan(value, place);
    if (this.#hasRoomFor(found[0]?.text.length ?? 0)) this.#add(found);
  }

  #hasRoomFor(length: number): boolean {
    this.#size += length + textSize;
    if (this.#size > maxSize) this.areUnreadable = true;
    return !this.areUnreadable;
  }
}

/** How deep a value is, as far as that is of interest. */
const depthOf = (value: Json, depth = 0): number => {
  if (typeof value !== 'object' || value === null || depth > mostLevels) return depth;
  return Object.values(value).reduce<number>((most, inner: Json) => Math.max(most, depthOf(inner, depth + 1)), depth);
};
