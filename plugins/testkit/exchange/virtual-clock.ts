/** A clock on which time passes only when a test advances it. The gateway accepts it as its clock. */
export interface VirtualClock {
  monotonic(): number;
  wall(): number;
  after(ms: number, run: () => void): () => void;
  /** The number of timers that have not fired. */
  readonly pending: number;
  /** Lets time pass, running what falls due in order. */
  advance(ms: number): void;
  /**
   * Lets time pass until the promise is settled, from one timer to the next and no further than needed. Rejects if the
   * promise waits for something other than a timer.
   */
  settle<Value>(promise: Promise<Value>): Promise<Value>;
}

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** Turns of the event loop that a promise may take without a timer before it counts as stuck. */
const patience = 200;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A clock that begins at 0, on a fixed day. */
export const createVirtualClock = (startMs: number = Date.UTC(2026, 0, 1)): VirtualClock => {
  const timers = new Set<Timer>();
  let now = 0;

  const earliest = (): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers) if (first === undefined || timer.at < first.at) first = timer;
    return first;
  };

  const runUntil = (end: number): void => {
    for (let timer = earliest(); timer !== undefined && timer.at <= end; timer = earliest()) {
      timers.delete(timer);
      now = timer.at;
      timer.run();
    }
    now = end;
  };

  return {
    monotonic: () => now,
    wall: () => startMs + now,
    after: (ms, run) => {
      const timer = { at: now + Math.max(0, ms), run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    get pending() {
      return timers.size;
    },
    advance: (ms) => runUntil(now + ms),
    settle: async (promise) => {
      let settled = false;
      const noted = promise.finally(() => {
        settled = true;
      });
      noted.catch(() => {});
      for (let idle = 0; !settled; idle += 1) {
        await nextTurn();
        const timer = settled ? undefined : earliest();
        if (timer !== undefined) {
          runUntil(timer.at);
          idle = 0;
        } else if (idle > patience) throw new Error('Nothing is left to wait for, but there is no answer yet.');
      }
      return await noted;
    },
  };
};
