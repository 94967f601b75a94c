import { exactText, fromExactJson } from '../../../schema/json/exact-numbers.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { jsonTextError } from '../../../schema/json/json-text-error.ts';
import { keepSources } from '../../../schema/json/number-sources.ts';

/** Returns a value as it is written inside a JSON string. */
const escaped = (value: string): string => JSON.stringify(value).slice(1, -1);

/** Returns the parsed value if the text is a JSON object or list. Undefined for any other text. */
const parsedInside = (text: string): Json | undefined => {
  const first = text.trimStart().at(0);
  if ((first !== '{' && first !== '[') || jsonTextError(text) !== undefined) return undefined;
  try {
    // A parsed text is JSON.
    return fromExactJson(text) as Json;
  } catch {
    return undefined;
  }
};

/** Restores values in place of their placeholders in an answer. The values of one request are never used for another. */
export class Restorer {
  /** A placeholder that stands for two values is used for neither. */
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

  /** The length of the longest placeholder. A cut placeholder at the end has at most one character less. */
  get longest(): number {
    return Math.max(0, ...this.#lengths);
  }

  /** Returns where at the end of a text a placeholder may begin that following text completes. The text's length if nowhere. */
  openFrom(text: string): number {
    for (let at = Math.max(0, text.length - this.longest + 1); at < text.length; at += 1) {
      if (!this.#firsts.has(text.charAt(at))) continue;
      const begun = text.slice(at);
      for (const placeholder of this.#values.keys())
        if (placeholder.length > begun.length && placeholder.startsWith(begun)) return at;
    }
    return text.length;
  }

  /** Returns a text with its values restored. With `inJson`, the text is part of a JSON text, and values are escaped. */
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

  /** Restores the values in the strings and keys of a JSON value. Inside strings that are JSON themselves, they are escaped. */
  json(value: Json): Json {
    if (typeof value === 'string') return this.#string(value);
    if (Array.isArray(value)) {
      const items = value.map((item: Json) => this.json(item));
      return items.some((item, index) => item !== value[index]) ? keepSources(items, value) : value;
    }
    return isJsonObject(value) ? this.object(value) : value;
  }

  /** Like `json`, for an object. Objects without a placeholder are returned unchanged. */
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
    // Only a value that must be escaped can make JSON text invalid.
    if (plain === text || plain === this.text(text, { inJson: true })) return plain;
    const inside = parsedInside(text);
    return inside === undefined ? plain : exactText(this.json(inside));
  }

  /** Returns the longest placeholder that begins at a position. */
  #placeholderAt(text: string, at: number): string | undefined {
    let found: string | undefined;
    for (const length of this.#lengths) {
      const candidate = text.slice(at, at + length);
      if (length > (found?.length ?? 0) && this.#values.has(candidate)) found = candidate;
    }
    return found;
  }
}
