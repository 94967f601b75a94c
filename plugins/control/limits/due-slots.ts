/** Things that fall due, found without looking at all of them: by slots of time, each as long as the tick that asks for them. */
export interface DueSlots<Thing> {
  /** Returns what takes it out again. */
  add(thing: Thing, due: number): () => void;
  /** Takes out what has fallen due. What is due within the slot of `now` may wait for the next one. */
  take(now: number): readonly Thing[];
}

export const dueSlots = <Thing>(slotMs: number): DueSlots<Thing> => {
  const slots = new Map<number, Set<Thing>>();
  let next = Number.NEGATIVE_INFINITY;

  /** From the last one that was taken; where time has jumped, no slot that is not there is looked for. */
  const ended = (last: number): readonly number[] => {
    if (last - next > slots.size) return [...slots.keys()].filter((slot) => slot <= last).sort((a, b) => a - b);
    return Array.from({ length: Math.max(0, last - next + 1) }, (_, index) => next + index);
  };

  return {
    add(thing, due) {
      const slot = Math.max(Math.ceil(due / slotMs), next);
      const things = slots.get(slot) ?? new Set();
      slots.set(slot, things.add(thing));
      return () => {
        const held = slots.get(slot);
        if (held?.delete(thing) === true && held.size === 0) slots.delete(slot);
      };
    },
    take(now) {
      const last = Math.floor(now / slotMs);
      const taken: Thing[] = [];
      for (const slot of ended(last)) {
        taken.push(...(slots.get(slot) ?? []));
        slots.delete(slot);
      }
      next = Math.max(next, last + 1);
      return taken;
    },
  };
};
