import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findItems } from '../../../../schema/json/loose.ts';

/**
 * Finds the members of an object that the objects before it did not have, because the frames of a stream may repeat what is
 * known.
 */
export class NewMembers {
  /** The names seen so far with their values, or with the items of their lists, as JSON. */
  readonly #seen = new Set<string>();

  /** Returns the members that are new, with only the new items of lists, or undefined if there are none. */
  of(object: JsonObject): JsonObject | undefined {
    const unreported = Object.entries(object).flatMap(([name, value]): readonly (readonly [string, Json])[] => {
      const items = findItems(value)?.filter((item) => this.#isNew(name, item));
      if (items === undefined) return value !== null && this.#isNew(name, value) ? [[name, value]] : [];
      return items.length > 0 ? [[name, items]] : [];
    });
    return unreported.length > 0 ? Object.fromEntries(unreported) : undefined;
  }

  #isNew(name: string, value: Json): boolean {
    const text = `${name} ${JSON.stringify(value)}`;
    if (this.#seen.has(text)) return false;
    this.#seen.add(text);
    return true;
  }
}
