import type { Clock } from '../../../sdk/clock.ts';

const everyMs = 60_000;

/** Why something was let through without being counted in full. */
export type Unknown = 'counter' | 'price';

const facts: Readonly<Record<Unknown, (count: number) => string>> = {
  counter: (count) =>
    `${count} ${count === 1 ? 'attempt was' : 'attempts were'} let through because the counters of limits could not be asked in time.`,
  price: (count) =>
    `${count} ${count === 1 ? 'attempt was' : 'attempts were'} let through past a limit of cost, because the model has no known price, or the provider does not tell what was used. Give the model a price under "prices" in the gateway file: one for each "request" where nothing is told.`,
};

/** Counts what policies with `if_unknown: "allow"` let through, and tells the operator once a minute. */
export interface UnknownsReport {
  add(what: Unknown): void;
  close(): void;
}

export const reportUnknowns = (clock: Clock, say: (text: string) => void): UnknownsReport => {
  const waiting = new Map<Unknown, number>();
  let stop: (() => void) | undefined;
  const report = (): void => {
    for (const [what, count] of waiting) say(`gw: ${facts[what](count)}\n`);
    const wasBusy = waiting.size > 0;
    waiting.clear();
    stop = wasBusy ? clock.after(everyMs, report) : undefined;
  };
  return {
    add(what) {
      waiting.set(what, (waiting.get(what) ?? 0) + 1);
      // The first is told at once, and then what has come together in a minute.
      if (stop === undefined) report();
    },
    close() {
      stop?.();
      stop = undefined;
      for (const [what, count] of waiting) say(`gw: ${facts[what](count)}\n`);
      waiting.clear();
    },
  };
};
