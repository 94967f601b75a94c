/** A thing that falls due, and its place among those of its slot. */
export interface Due<Thing> {
  readonly thing: Thing;
  readonly slot: number;
  at: number;
}

/** Things that fall due, found without looking at all of them: by slots of time, each as long as the tick that asks for them. */
export interface DueSlots<Thing> {
  add(thing: Thing, due: number): Due<Thing>;
  /** Takes it out again; without effect if it was taken. */
  remove(due: Due<Thing>): void;
  /** Takes out what has fallen due. What is due within the slot of `now` may wait for the next one. */
  take(now: number): readonly Thing[];
}

export const dueSlots = <Thing>(slotMs: number): DueSlots<Thing> => {
  const slots = new Map<number, Due<Thing>[]>();
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
      const added = { thing, slot, at: all?.length ?? 0 };
      if (all === undefined) slots.set(slot, [added]);
      else all.push(added);
      return added;
    },
    remove(due) {
      const all = slots.get(due.slot);
      if (all?.[due.at] !== due) return;
      const last = all.pop();
      if (last !== undefined && last !== due) {
        all[due.at] = last;
        last.at = due.at;
      }
      if (all.length === 0) slots.delete(due.slot);
    },
    take(now) {
      const last = Math.floor(now / slotMs);
      const taken: Thing[] = [];
      for (const slot of ended(last)) {
        for (const { thing } of slots.get(slot) ?? []) taken.push(thing);
        slots.delete(slot);
      }
      next = Math.max(next, last + 1);
      return taken;
    },
  };
};
