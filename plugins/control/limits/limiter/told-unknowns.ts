import type { Clock } from '../../identity/clock.ts';

const everyMs = 60_000;

/** Why something was let through without being counted in full. */
export type Unknown = 'counter' | 'price' | 'measure';

const facts: Readonly<Record<Unknown, (count: number) => string>> = {
  counter: (count) =>
    `${count} ${count === 1 ? 'attempt was' : 'attempts were'} let through because the counters of limits could not be asked in time.`,
  price: (count) =>
    `${count} ${count === 1 ? 'attempt was' : 'attempts were'} let through past a limit of cost, because the model has no known price. Give it one under "prices" in the gateway file.`,
  measure: (count) =>
    `${count} ${count === 1 ? 'request was' : 'requests were'} passed through past a limit of tokens or cost, because what it uses cannot be measured.`,
};

/** Counts what policies with `if_unknown: "allow"` let through, and tells the operator once a minute. */
export interface ToldUnknowns {
  add(what: Unknown): void;
  /** How many there were in all. */
  count(what: Unknown): number;
  close(): void;
}

export const toldUnknowns = (clock: Clock, say: (text: string) => void): ToldUnknowns => {
  const totals = new Map<Unknown, number>();
  const waiting = new Map<Unknown, number>();
  let stop: (() => void) | undefined;
  const tell = (): void => {
    for (const [what, count] of waiting) say(`gw: ${facts[what](count)}\n`);
    const wasBusy = waiting.size > 0;
    waiting.clear();
    stop = wasBusy ? clock.after(everyMs, tell) : undefined;
  };
  return {
    add(what) {
      totals.set(what, (totals.get(what) ?? 0) + 1);
      waiting.set(what, (waiting.get(what) ?? 0) + 1);
      // The first is told at once, and then what has come together in a minute.
      if (stop === undefined) tell();
    },
    count: (what) => totals.get(what) ?? 0,
    close() {
      stop?.();
      stop = undefined;
      for (const [what, count] of waiting) say(`gw: ${facts[what](count)}\n`);
      waiting.clear();
    },
  };
};
