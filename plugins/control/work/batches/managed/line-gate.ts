import type { Clock } from '../../../../sdk/clock.ts';

/** The end of a request, as far as it says something of the next ones. */
export type LineOutcome =
  | { readonly kind: 'taken' }
  /** The provider asks for fewer requests, and for none within so many milliseconds. */
  | { readonly kind: 'pushedBack'; readonly ms: number }
  /** It may succeed later: there was no answer, or one that says that the provider has failed. */
  | { readonly kind: 'failed' };

/**
 * How many requests of a batch are under way in this process: more while providers take them, half as many when they push
 * back, or when all fail. Then none are sent for a while, ever longer, so that lines wait for a provider that is unavailable.
 */
export interface LineGate {
  /** Waits for room; resolves to false, without taking any, once `stop` says so. */
  enter(stop: { readonly isStopped: () => boolean; onStop(run: () => void): () => void }): Promise<boolean>;
  leave(outcome: LineOutcome): void;
}

const first = 4;
const most = 32;
/** Milliseconds. */
const firstPause = 1000;
const longestPause = 10_000;

export const createLineGate = (clock: Clock): LineGate => {
  let room = first;
  let inside = 0;
  /** Grows by 1 whenever as many as there is room for were taken. */
  let taken = 0;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let lastCut = Number.NEGATIVE_INFINITY;
  /** Requests that have failed one after another, and how often as many have as there was room for. */
  let failures = 0;
  let rounds = 0;
  const waiting = new Set<() => void>();

  const letIn = (): void => {
    for (const look of [...waiting]) look();
  };

  const isOpen = (): boolean => inside < room && clock.monotonic() >= pausedUntil;

  /** Timers may be early by a part of a millisecond. */
  const openLater = (): void => {
    const rest = pausedUntil - clock.monotonic();
    if (rest > 0) clock.after(rest, openLater);
    else letIn();
  };

  const pushBack = (ms: number): void => {
    const now = clock.monotonic();
    // Those that were under way together are pushed back together, for one reason.
    if (now - lastCut > 1000) room = Math.max(1, Math.floor(room / 2));
    lastCut = now;
    taken = 0;
    if (now + ms <= pausedUntil) return;
    pausedUntil = now + ms;
    openLater();
  };

  const take = (): void => {
    failures = 0;
    rounds = 0;
    taken += 1;
    if (taken < room) return;
    room = Math.min(most, room + 1);
    taken = 0;
  };

  const fail = (): void => {
    // Those that were under way when the others failed say nothing new.
    if (clock.monotonic() < pausedUntil) return;
    failures += 1;
    if (failures < room) return;
    failures = 0;
    pushBack(Math.min(longestPause, firstPause * 2 ** rounds));
    rounds += 1;
  };

  return {
    enter: (stop) =>
      new Promise((resolve) => {
        let stopListening = (): void => {};
        const settle = (isIn: boolean): void => {
          waiting.delete(look);
          stopListening();
          if (isIn) inside += 1;
          resolve(isIn);
        };
        const look = (): void => {
          if (stop.isStopped()) settle(false);
          else if (isOpen()) settle(true);
        };
        waiting.add(look);
        look();
        if (waiting.has(look)) stopListening = stop.onStop(look);
      }),
    leave(outcome) {
      inside -= 1;
      if (outcome.kind === 'pushedBack') pushBack(outcome.ms);
      else if (outcome.kind === 'failed') fail();
      else take();
      letIn();
    },
  };
};

/** Batches whose gates are remembered between their parts. */
const maxRemembered = 100;

/** Runs with the gate of a batch: there is one for all of its parts that this process runs. */
type WithGate = <Result>(batch: string, run: (gate: LineGate) => Promise<Result>) => Promise<Result>;

export const createLineGates = (clock: Clock): WithGate => {
  const gates = new Map<string, { readonly gate: LineGate; users: number }>();
  return async (id, run) => {
    const entry = gates.get(id) ?? { gate: createLineGate(clock), users: 0 };
    gates.set(id, entry);
    entry.users += 1;
    try {
      return await run(entry.gate);
    } finally {
      entry.users -= 1;
      for (const [batch, { users }] of gates) if (users === 0 && gates.size > maxRemembered) gates.delete(batch);
    }
  };
};
