import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { valueAt } from '../../../../schema/json/look-up.ts';
import { fromPointer, type JsonPointer, toPointer } from '../../../../schema/json/pointer.ts';

/**
 * Returns a value without the member or item at a place, and without each object and list around it that becomes empty. The
 * object that is `stays` steps down the path is kept even if it is empty.
 */
export const without = (value: Json, [token, ...rest]: readonly string[], stays = -1): Json | undefined => {
  if (token === undefined) return undefined;
  if (Array.isArray(value)) {
    const items = value.flatMap((item: Json, index) => {
      const left = String(index) === token ? without(item, rest, stays - 1) : item;
      return left === undefined ? [] : [left];
    });
    return items.length === 0 ? undefined : items;
  }
  if (!isJsonObject(value)) return undefined;
  const members = Object.entries(value).flatMap(([name, member]): readonly (readonly [string, Json])[] => {
    const left = name === token ? without(member, rest, stays - 1) : member;
    return left === undefined ? [] : [[name, left]];
  });
  return members.length === 0 && stays !== 0 ? undefined : Object.fromEntries(members);
};

/** A value from which parts are removed one after another. Keeps track of where the remaining parts were before. */
export class LeftOut {
  value: Json | undefined;
  /** The removed items of lists, each by its place at that time. */
  readonly #items: (readonly string[])[] = [];

  constructor(value: Json) {
    this.value = value;
  }

  /**
   * Returns the outermost place that is removed together with a place: the place itself, or a parent that contains nothing else.
   */
  widen(tokens: readonly string[], stays: readonly string[] = []): readonly string[] {
    const { value } = this;
    if (value === undefined || tokens.length === 0) return tokens;
    const around = tokens.slice(0, -1);
    const object = valueAt(value, around);
    const size = isJsonObject(object) ? Object.keys(object).length : Array.isArray(object) ? object.length : 0;
    const isKept = size > 1 || (stays.length > 0 && stays.length === around.length);
    return isKept ? tokens : this.widen(around, stays);
  }

  /** Removes the member or item at a place, and each object and list around it that becomes empty, except the one that stays. */
  leaveOut(tokens: readonly string[], stays: readonly string[] = []): void {
    const { value } = this;
    if (value === undefined) return;
    this.value = without(value, tokens, stays.length === 0 ? undefined : stays.length);
    const left = this.value;
    const gone = tokens.findIndex((_, index) => {
      const around = tokens.slice(0, index);
      const [before, after] = [valueAt(value, around), left === undefined ? undefined : valueAt(left, around)];
      return Array.isArray(before) && Array.isArray(after) && after.length < before.length;
    });
    if (gone !== -1) this.#items.push(tokens.slice(0, gone + 1));
  }

  /** Returns the original place of a part. */
  before(pointer: JsonPointer): JsonPointer {
    let tokens = fromPointer(pointer);
    for (const item of this.#items.toReversed()) {
      const at = item.length - 1;
      const isBeside = tokens.length > at && item.slice(0, at).every((token, index) => token === tokens[index]);
      if (isBeside && Number(tokens[at]) >= Number(item[at]))
        tokens = [...tokens.slice(0, at), String(Number(tokens[at]) + 1), ...tokens.slice(at + 1)];
    }
    return toPointer(tokens);
  }
}
