/** How many lists the items are divided among: a search looks through one of them. */
const lists = 1024;

/** The characters at the end of an id that choose its list: those of ids that are made are random digits, each of 4 bits. */
const hashedCharacters = 4;

/**
 * Finds items by their ids, where these come and go with each request. A `Map` would make its table anew after every few of them.
 * Each table of V8 refers to the one that replaced it, so that once one of them is in the old generation, all that follow it,
 * and the requests in them, are copied there too, until that generation is collected.
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
