import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { keepSources, numberText } from '../../../schema/json/number-sources.ts';
import type { Replacement } from '../guardrail/guardrail.ts';

/** Replaces parts of a text that is known line by line: `next` receives the lines in order. */
class Lines {
  readonly #replacements: readonly Replacement[];
  /** The index of the first replacement that may affect the next line. */
  #next = 0;
  /** The offset of the next line in the whole text. */
  #start = 0;

  constructor(replacements: readonly Replacement[]) {
    this.#replacements = [...replacements].sort((a, b) => a.from - b.from);
  }

  /**
   * Returns a line after its replacements. The new text of a replacement that covers several lines goes into the first of them.
   */
  next(line: string): string {
    const start = this.#start;
    const end = start + line.length;
    let result = '';
    let done = start;
    for (;;) {
      const replacement = this.#replacements[this.#next];
      if (replacement === undefined || replacement.from > end) break;
      const { from, to, with: added } = replacement;
      result += line.slice(done - start, Math.max(from, start) - start);
      if (from >= start) result += added;
      done = Math.min(to, end);
      if (to > end) break;
      this.#next += 1;
    }
    this.#start = end + 1;
    return result + line.slice(done - start);
  }
}

/** Returns a name that no member has yet, because two keys may become equal. */
export const freeName = (name: string, members: ReadonlyMap<string, Json>): string => {
  let free = name;
  while (members.has(free)) free += '_';
  return free;
};

const objectWith = (value: JsonObject, lines: Lines): JsonObject => {
  const members = new Map<string, Json>();
  for (const [key, inner] of Object.entries(value))
    members.set(freeName(lines.next(key), members), memberWith(value, key, inner, lines));
  return keepSources(Object.fromEntries(members), value);
};

/** Replaces parts of a value that is one line with this text. */
const scalarWith = (value: Json, text: string, lines: Lines): Json => {
  const changed = lines.next(text);
  return changed === text ? value : changed;
};

/** Replaces parts of a value that an object or a list has under a key. */
const memberWith = (holder: object, key: string, value: Json, lines: Lines): Json => {
  return typeof value === 'number' ? scalarWith(value, numberText(value, holder, key), lines) : valueWith(value, lines);
};

const valueWith = (value: Json, lines: Lines): Json => {
  if (Array.isArray(value))
    return keepSources(
      value.map((item: Json, at) => memberWith(value, String(at), item, lines)),
      value,
    );
  if (isJsonObject(value)) return objectWith(value, lines);
  return value === null ? value : scalarWith(value, String(value), lines);
};

/**
 * Replaces parts of the strings in a JSON value, one per line (`stringsIn`). Keys are replaced too. A number or a boolean becomes
 * a string if part of it is replaced.
 */
export const replaceInLines = (value: Json, replacements: readonly Replacement[]): Json =>
  valueWith(value, new Lines(replacements));
