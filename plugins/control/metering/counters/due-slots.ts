/** An item that falls due, with its slot and its index in the slot. */
export interface Due {
  slot: number;
  at: number;
}

/** Finds due items by time slots, each as long as the interval at which they are queried. */
export class DueSlots<Item extends Due> {
  readonly #slotMs: number;
  readonly #slots = new Map<number, Item[]>();
  #next = Number.NEGATIVE_INFINITY;

  constructor(slotMs: number) {
    this.#slotMs = slotMs;
  }

  add(item: Item, due: number): void {
    const slot = Math.max(Math.ceil(due / this.#slotMs), this.#next);
    const all = this.#slots.get(slot);
    item.slot = slot;
    item.at = all?.length ?? 0;
    if (all === undefined) this.#slots.set(slot, [item]);
    else all.push(item);
  }

  /** Removes an item; does nothing if it was taken already. */
  remove(item: Item): void {
    const all = this.#slots.get(item.slot);
    if (all?.[item.at] !== item) return;
    const last = all.pop();
    if (last !== undefined && last !== item) {
      all[item.at] = last;
      last.at = item.at;
    }
    if (all.length === 0) this.#slots.delete(item.slot);
  }

  /** Removes and returns the due items. Items that are due within the slot of `now` may wait for the next one. */
  take(now: number): readonly Item[] {
    const last = Math.floor(now / this.#slotMs);
    const taken: Item[] = [];
    for (const slot of this.#ended(last)) {
      for (const item of this.#slots.get(slot) ?? []) taken.push(item);
      this.#slots.delete(slot);
    }
    this.#next = Math.max(this.#next, last + 1);
    return taken;
  }

  /** Lists the slots since the last one that was taken. If time has jumped, only existing slots are considered. */
  #ended(last: number): readonly number[] {
    if (last - this.#next > this.#slots.size)
      return [...this.#slots.keys()].filter((slot) => slot <= last).sort((a, b) => a - b);
    return Array.from({ length: Math.max(0, last - this.#next + 1) }, (_, index) => this.#next + index);
  }
}
