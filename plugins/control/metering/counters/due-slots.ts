/** An item that falls due, with its slot and its index in the slot. */
export interface Due {
  slot: number;
  at: number;
}

/** Finds the items that are due by slots of time, each as long as the tick that asks for them. */
export interface DueSlots<Thing extends Due> {
  add(thing: Thing, due: number): void;
  /** Takes it out again; without effect if it was taken. */
  remove(thing: Thing): void;
  /** Takes out what has fallen due. What is due within the slot of `now` may wait for the next one. */
  take(now: number): readonly Thing[];
}

export const dueSlots = <Thing extends Due>(slotMs: number): DueSlots<Thing> => {
  const slots = new Map<number, Thing[]>();
  let next = Number.NEGATIVE_INFINITY;

  /** From the last one that was taken; where time has jumped, no slot that is not there is looked for. */
  const ended = (last: number): readonly number[] => {
    if (last - next > slots.size) return [...slots.keys()].filter((slot) => slot <= last).sort((a, b) => a - b);
    return Array.from({ length: Math.max(0, last - next + 1) }, (_, index) => next + index);
  };

  return {
    add(thing, due) {
      const slot = Math.max(Math.ceil(due / slotMs), next);
      const all = slots.get(slot);
      thing.slot = slot;
      thing.at = all?.length ?? 0;
      if (all === undefined) slots.set(slot, [thing]);
      else all.push(thing);
    },
    remove(thing) {
      const all = slots.get(thing.slot);
      if (all?.[thing.at] !== thing) return;
      const last = all.pop();
      if (last !== undefined && last !== thing) {
        all[thing.at] = last;
        last.at = thing.at;
      }
      if (all.length === 0) slots.delete(thing.slot);
    },
    take(now) {
      const last = Math.floor(now / slotMs);
      const taken: Thing[] = [];
      for (const slot of ended(last)) {
        for (const thing of slots.get(slot) ?? []) taken.push(thing);
        slots.delete(slot);
      }
      next = Math.max(next, last + 1);
      return taken;
    },
  };
};
