import { isJsonObject, type Json, type JsonObject } from '../../schema/json/json.ts';
import { childPointer, type JsonPointer } from '../../schema/json/pointer.ts';

/** The places of a document that cannot be used, because an error was reported there. */
export interface UsableParts {
  /**
   * Whether the place has something that cannot be used, or something else was meant for it. Such a place is not reported as
   * missing.
   */
  isUnusable(pointer: JsonPointer): boolean;
  /** Whether nothing wrong was found at the place or below it. */
  isFullyUsable(pointer: JsonPointer): boolean;
  /** Returns the usable items of a list, each with its place. */
  items<Item>(list: readonly Item[] | undefined, pointer: JsonPointer): readonly SoundItem<Item>[];
}

export interface SoundItem<Item> {
  readonly value: Item;
  readonly pointer: JsonPointer;
  readonly index: number;
}

/** Returns the places and all their ancestors. */
const withParents = (places: ReadonlySet<JsonPointer>): ReadonlySet<string> => {
  const found = new Set<string>(places);
  for (const place of places)
    for (let end = place.lastIndexOf('/'); end !== -1; end = place.lastIndexOf('/', end - 1)) {
      const parent = place.slice(0, end);
      if (found.has(parent)) break;
      found.add(parent);
      if (end === 0) break;
    }
  return found;
};

export const soundness = (unsound: ReadonlySet<JsonPointer>): UsableParts => {
  const faulty = withParents(unsound);
  return {
    isUnusable: (pointer) => unsound.has(pointer),
    isFullyUsable: (pointer) => !faulty.has(pointer),
    items: (list, pointer) =>
      (list ?? [])
        .map((value, index) => ({ value, pointer: childPointer(pointer, index), index }))
        .filter((item) => !unsound.has(item.pointer)),
  };
};

/** Returns the value without its unsound members. Items of lists keep their places; `Soundness.items` skips them. */
export const withoutUnsound = (value: Json, unsound: ReadonlySet<JsonPointer>): Json => {
  if (unsound.size === 0) return value;
  const walk = (part: Json, pointer: JsonPointer): Json => {
    if (Array.isArray(part)) return part.map((item, index) => walk(item, childPointer(pointer, index)));
    if (!isJsonObject(part)) return part;
    return Object.fromEntries(
      Object.entries(part)
        .map(([key, member]) => [key, member, childPointer(pointer, key)] as const)
        .filter(([, , at]) => !unsound.has(at))
        .map(([key, member, at]) => [key, walk(member, at)]),
    ) satisfies JsonObject;
  };
  return walk(value, '' as JsonPointer);
};
