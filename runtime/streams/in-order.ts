/** Work that is already done, or a promise of its end. */
export type Work = Promise<void> | undefined;

interface Rest<Thing> {
  readonly things: readonly Thing[];
  readonly run: (thing: Thing) => Work;
  readonly from: number;
}

// Outside of the loop, where a closure would cost something for each item.
const goOn = <Thing extends object>(work: Promise<void>, { things, run, from }: Rest<Thing>): Promise<void> =>
  work.then(() => inOrder(things, run, from));

/** Does each piece of work after the previous one, without a promise if none of them needs one. */
export const inOrder = <Thing extends object>(
  things: readonly Thing[],
  run: (thing: Thing) => Work,
  from = 0,
): Work => {
  for (let at = from; at < things.length; at += 1) {
    const thing = things[at];
    const work = thing === undefined ? undefined : run(thing);
    if (work !== undefined) return goOn(work, { things, run, from: at + 1 });
  }
  return undefined;
};

/** Does the next piece of work when the first one is done. */
export const thenDo = (work: Work, next: () => Work): Work => (work === undefined ? next() : work.then(next));
