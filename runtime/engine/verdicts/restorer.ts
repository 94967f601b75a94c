import { exactText, fromExactJson } from '../../../schema/json/exact-numbers.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { jsonTextError } from '../../../schema/json/json-text-error.ts';
import { keepSources } from '../../../schema/json/number-sources.ts';

/** A value as it stands inside a JSON string. */
const escaped = (value: string): string => JSON.stringify(value).slice(1, -1);

/** The objects and lists among JSON texts; undefined for any other text. */
const parsedInside = (text: string): Json | undefined => {
  const first = text.trimStart().at(0);
  if ((first !== '{' && first !== '[') || jsonTextError(text) !== undefined) return undefined;
  try {
    // What is parsed is JSON.
    return fromExactJson(text) as Json;
  } catch {
    return undefined;
  }
};

/** Puts values back where an answer has their placeholders. Those of one request are never used for another. */
export class Restorer {
  /** A placeholder that was given for two values stands for neither. */
  readonly #values = new Map<string, string | undefined>();
  readonly #lengths = new Set<number>();
  readonly #firsts = new Set<string>();

  constructor(entries: readonly (readonly [placeholder: string, value: string])[]) {
    for (const [placeholder, value] of entries) {
      const known = this.#values.get(placeholder);
      const isAmbiguous = this.#values.has(placeholder) && known !== value;
      this.#values.set(placeholder, isAmbiguous ? undefined : value);
      this.#lengths.add(placeholder.length);
      this.#firsts.add(placeholder.charAt(0));
    }
  }

  /** The characters of the longest placeholder: at most one less may be the beginning of one that is cut. */
  get longest(): number {
    return Math.max(0, ...this.#lengths);
  }

  /** Where at the end of a text a placeholder may have begun that what follows completes: the text's length if nowhere. */
  openFrom(text: string): number {
    for (let at = Math.max(0, text.length - this.longest + 1); at < text.length; at += 1) {
      if (!this.#firsts.has(text.charAt(at))) continue;
      const begun = text.slice(at);
      for (const placeholder of this.#values.keys())
        if (placeholder.length > begun.length && placeholder.startsWith(begun)) return at;
    }
    return text.length;
  }

  /** A text with its values; with `inJson`, a part of a JSON text, in which values are escaped. */
  text(text: string, { inJson = false }: { readonly inJson?: boolean } = {}): string {
    let result = '';
    let done = 0;
    for (let at = 0; at < text.length; at += 1) {
      if (!this.#firsts.has(text.charAt(at))) continue;
      const placeholder = this.#placeholderAt(text, at);
      const value = placeholder === undefined ? undefined : this.#values.get(placeholder);
      if (placeholder === undefined || value === undefined) continue;
      result += text.slice(done, at) + (inJson ? escaped(value) : value);
      done = at + placeholder.length;
      at = done - 1;
    }
    return done === 0 ? text : result + text.slice(done);
  }

  /** A JSON value with the values in its strings and keys; inside strings that are JSON themselves, they are escaped. */
  json(value: Json): Json {
    if (typeof value === 'string') return this.#string(value);
    if (Array.isArray(value)) {
      const items = value.map((item: Json) => this.json(item));
      return items.some((item, index) => item !== value[index]) ? keepSources(items, value) : value;
    }
    return isJsonObject(value) ? this.object(value) : value;
  }

  /** The same of an object. Objects without a placeholder are returned as they are. */
  object(value: JsonObject): JsonObject {
    const entries = Object.entries(value);
    const restored = entries.map(([key, member]) => [this.text(key), this.json(member)] as const);
    const isChanged = restored.some(
      ([key, member], index) => key !== entries[index]?.[0] || member !== entries[index][1],
    );
    return isChanged ? keepSources(Object.fromEntries(restored), value) : value;
  }

  #string(text: string): string {
    const plain = this.text(text);
    // Only a value that must be escaped can make a JSON text invalid.
    if (plain === text || plain === this.text(text, { inJson: true })) return plain;
    const inside = parsedInside(text);
    return inside === undefined ? plain : exactText(this.json(inside));
  }

  /** The longest placeholder that begins at a place. */
  #placeholderAt(text: string, at: number): string | undefined {
    let found: string | undefined;
    for (const length of this.#lengths) {
      const candidate = text.slice(at, at + length);
      if (length > (found?.length ?? 0) && this.#values.has(candidate)) found = candidate;
    }
    return found;
  }
}
