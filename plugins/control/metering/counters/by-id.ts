/** How many lists the items are divided among. A search goes through one of them. */
const lists = 1024;

/** How many characters at the end of an id select its list. In generated ids these are random digits of 4 bits each. */
const hashedCharacters = 4;

/**
 * Finds items by their ids, if items come and go with each request. A `Map` would rebuild its table after every few items. In V8,
 * each table refers to the one that replaced it, so once one of them is in the old generation, all that follow it, and the
 * requests in them, are copied there too, until that generation is collected.
 */
export class ById<Thing extends { readonly id: string }> {
  readonly #lists: Thing[][] = Array.from({ length: lists }, () => []);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(id: string): Thing | undefined {
    for (const thing of this.#findList(id)) if (thing.id === id) return thing;
    return undefined;
  }

  /** Adds an item whose id is not present. */
  add(thing: Thing): void {
    this.#findList(thing.id).push(thing);
    this.#size += 1;
  }

  /** Removes the item with an id, if it is present. */
  take(id: string): Thing | undefined {
    const list = this.#findList(id);
    for (let at = 0; at < list.length; at += 1) {
      const thing = list[at];
      if (thing?.id !== id) continue;
      const last = list.pop();
      if (last !== undefined && last !== thing) list[at] = last;
      this.#size -= 1;
      return thing;
    }
    return undefined;
  }

  all(): readonly Thing[] {
    return this.#lists.flat();
  }

  #findList(id: string): Thing[] {
    let hash = 0;
    for (let at = Math.max(0, id.length - hashedCharacters); at < id.length; at += 1)
      hash = (Math.imul(hash, 31) + id.charCodeAt(at)) | 0;
    return this.#lists[(hash >>> 0) % lists] as Thing[];
  }
}
